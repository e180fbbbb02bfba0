import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";

export type MentionMenuProps = {
  members: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onMention: (handle: string) => void;
  /** Returns the focus to the message field. */
  onClosed: () => void;
};

/** Mentions a group member at the cursor, or links the selected words to the member. */
export function MentionMenu(props: MentionMenuProps & LoadedPopup) {
  const { members, open, onOpenChange, onMention, onClosed, trigger } = props;
  return (
    <DropdownMenu open={open} onOpenChange={onOpenChange}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent
        align="start"
        side="top"
        className="max-h-72"
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        <DropdownMenuLabel>Mention</DropdownMenuLabel>
        {members.map((handle) => (
          <DropdownMenuItem key={handle} className="tabular-nums" onSelect={() => onMention(handle)}>
            <Grouped>{handle}</Grouped>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
