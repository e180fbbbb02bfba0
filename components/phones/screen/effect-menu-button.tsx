"use client";

import { Sparkles } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { EffectMenuProps } from "@/components/phones/screen/effect-menu";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/phones/screen/effect-menu")).EffectMenu;

/** Opens the menu of effects that a text can be sent with. */
export function EffectMenuButton(props: EffectMenuProps) {
  const { disabled } = props;
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label="Send with effect" disabled={disabled}>
          <Sparkles />
        </Button>
      }
    />
  );
}
