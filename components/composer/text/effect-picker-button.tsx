"use client";

import { Sparkles } from "lucide-react";
import { effectName } from "@/components/composer/text/effect-name";
import type { EffectPickerProps } from "@/components/composer/text/effect-picker";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/text/effect-picker")).EffectPicker;

/** Opens the choice of iMessage effects. */
export function EffectPickerButton(props: EffectPickerProps) {
  const { effect } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button
          variant={effect === null ? "ghost" : "secondary"}
          size="icon-sm"
          aria-label={effect === null ? "Effect" : `Effect: ${effectName(effect.name)}`}
          title="Effect"
        >
          <Sparkles />
        </Button>
      }
    />
  );
}
