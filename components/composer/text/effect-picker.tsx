import { useState } from "react";
import type { Effect } from "@/components/composer/draft";
import { effectName } from "@/components/composer/text/effect-name";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { BUBBLE_EFFECTS, SCREEN_EFFECTS } from "@/lib/messaging/content/message-effects";

const FAMILIES: { type: Effect["type"]; label: string; names: readonly string[] }[] = [
  { type: "bubble", label: "Bubble effects", names: BUBBLE_EFFECTS },
  { type: "screen", label: "Screen effects", names: SCREEN_EFFECTS },
];

export type EffectPickerProps = { effect: Effect | null; onChoose: (effect: Effect | null) => void };

/** Picks the iMessage effect of a message. */
export function EffectPicker({ effect, onChoose, trigger }: EffectPickerProps & LoadedPopup) {
  const [open, setOpen] = useState(true);

  function choose(next: Effect): void {
    onChoose(next.name === effect?.name ? null : next);
    setOpen(false);
  }

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="start" side="top" aria-label="Effects" className="flex flex-col gap-3">
        {FAMILIES.map(({ type, label, names }) => (
          <fieldset key={type} className="flex flex-wrap gap-1.5">
            <legend className="pb-1.5 font-medium text-muted-foreground text-xs">{label}</legend>
            {names.map((name) => (
              <Button
                key={name}
                variant={effect?.name === name ? "default" : "outline"}
                size="sm"
                aria-pressed={effect?.name === name}
                onClick={() => choose({ type, name })}
              >
                {effectName(name)}
              </Button>
            ))}
          </fieldset>
        ))}
      </PopoverContent>
    </Popover>
  );
}
