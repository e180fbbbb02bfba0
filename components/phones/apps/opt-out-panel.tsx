"use client";

import { useState } from "react";
import { NEAR_MISSES, OPT_IN_TEXT, OPT_OUT_TEXTS } from "@/components/phones/apps/opt-out-texts";
import { Button } from "@/components/ui/button";

type OptOutPanelProps = { isGroup: boolean; onSend: (content: object) => Promise<void> };

/** Sends an opt-out keyword, a text that ends the opt-out, or a text that resembles a keyword. */
export function OptOutPanel({ isGroup, onSend }: OptOutPanelProps) {
  const [isSending, setIsSending] = useState(false);

  async function send(text: string): Promise<void> {
    setIsSending(true);
    await onSend({ text });
    setIsSending(false);
  }

  return (
    <div className="flex flex-col gap-2.5">
      {isGroup && (
        <p className="text-muted-foreground text-xs">
          Keywords have no effect in a group. Send them in a direct conversation.
        </p>
      )}
      <Texts label="Opt out" texts={OPT_OUT_TEXTS} disabled={isSending} onSend={send} />
      <Texts label="End the opt-out" texts={[OPT_IN_TEXT]} disabled={isSending} onSend={send} />
      <Texts label="Not keywords" texts={NEAR_MISSES} disabled={isSending} onSend={send} />
    </div>
  );
}

type TextsProps = {
  label: string;
  texts: readonly string[];
  disabled: boolean;
  onSend: (text: string) => Promise<void>;
};

function Texts({ label, texts, disabled, onSend }: TextsProps) {
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="mb-1 font-medium text-muted-foreground text-xs">{label}</legend>
      {texts.map((text) => (
        <Button
          key={text}
          variant="outline"
          size="sm"
          aria-label={`Send ${text}`}
          disabled={disabled}
          onClick={() => void onSend(text)}
        >
          {text}
        </Button>
      ))}
    </fieldset>
  );
}
