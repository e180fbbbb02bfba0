"use client";

import { Sparkles } from "lucide-react";
import { effectName } from "@/components/composer/effect-name";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { BUBBLE_EFFECTS, SCREEN_EFFECTS } from "@/lib/messaging/messages/message-effects";

type EffectMenuProps = { disabled: boolean; onChoose: (effect: string) => void };

/** Sends the text with an effect. */
export function EffectMenu({ disabled, onChoose }: EffectMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label="Send with effect" disabled={disabled}>
          <Sparkles />
        </Button>
      </DropdownMenuTrigger>
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
