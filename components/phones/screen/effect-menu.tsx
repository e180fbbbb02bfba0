"use client";

import { effectName } from "@/components/composer/text/effect-name";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { BUBBLE_EFFECTS, SCREEN_EFFECTS } from "@/lib/messaging/content/message-effects";

export type EffectMenuProps = { disabled: boolean; onChoose: (effect: string) => void };

/** Sends the text with an effect. */
export function EffectMenu({ onChoose, trigger }: EffectMenuProps & LoadedPopup) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="end" side="top" className="max-h-72">
        <DropdownMenuLabel>Screen</DropdownMenuLabel>
        {SCREEN_EFFECTS.map((name) => (
          <DropdownMenuItem key={name} onSelect={() => onChoose(name)}>
            {effectName(name)}
          </DropdownMenuItem>
        ))}
        <DropdownMenuLabel>Bubble</DropdownMenuLabel>
        {BUBBLE_EFFECTS.map((name) => (
          <DropdownMenuItem key={name} onSelect={() => onChoose(name)}>
            {effectName(name)}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
