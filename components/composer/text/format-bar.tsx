import { Bold, Italic, type LucideIcon, Strikethrough, Underline, WandSparkles } from "lucide-react";
import { isMarked, type Mark, type Range } from "@/components/composer/text/text-marks";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { ANIMATIONS, type STYLES } from "@/lib/messaging/content/text-styles";

type Style = (typeof STYLES)[number];

const BUTTONS: { style: Style; label: string; icon: LucideIcon }[] = [
  { style: "bold", label: "Bold", icon: Bold },
  { style: "italic", label: "Italic", icon: Italic },
  { style: "underline", label: "Underline", icon: Underline },
  { style: "strikethrough", label: "Strikethrough", icon: Strikethrough },
];
const NONE = "none";

type FormatBarProps = {
  marks: readonly Mark[];
  /** The range to format; null when the cursor is not in a word. */
  range: Range | null;
  onStyle: (style: Style) => void;
  onAnimate: (animation: string | null) => void;
};

/** The toolbar for text styles and animations. */
export function FormatBar({ marks, range, onStyle, onAnimate }: FormatBarProps) {
  const animation =
    range && marks.find((mark) => mark.type === "animation" && isMarked([mark], range, mark.name));
  return (
    <div role="toolbar" aria-label="Format" className="flex flex-wrap items-center gap-0.5">
      {BUTTONS.map(({ style, label, icon: Icon }) => {
        const pressed = range !== null && isMarked(marks, range, style);
        return (
          <Button
            key={style}
            variant={pressed ? "secondary" : "ghost"}
            size="icon-sm"
            aria-label={label}
            aria-pressed={pressed}
            disabled={range === null}
            // Keeps the focus, and so the selection, in the text field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onStyle(style)}
          >
            <Icon />
          </Button>
        );
      })}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant={animation ? "secondary" : "ghost"} size="sm" disabled={range === null}>
            <WandSparkles />
            {animation ? titled(animation.name) : "Animate"}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" side="top">
          <DropdownMenuRadioGroup
            value={animation?.name ?? NONE}
            onValueChange={(name) => onAnimate(name === NONE ? null : name)}
          >
            <DropdownMenuRadioItem value={NONE}>No animation</DropdownMenuRadioItem>
            {ANIMATIONS.map((name) => (
              <DropdownMenuRadioItem key={name} value={name}>
                {titled(name)}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
      {range === null && <span className="px-1 text-muted-foreground text-xs">Select text to format</span>}
    </div>
  );
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
