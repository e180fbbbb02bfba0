"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import type { ProofDialogProps } from "@/components/auth/proof-dialog";
import { type ProofType, setProofPrompt } from "@/lib/client/ask-for-proof";

type ProofPromptProps = Omit<ProofDialogProps, "type" | "open" | "onClose">;

/**
 * Asks for a passkey or the password before an action that requires a recent proof of identity, then continues the action. The
 * dialog is loaded when it is first needed; if it cannot be loaded, the action fails as without a proof.
 */
export function ProofPrompt(props: ProofPromptProps) {
  const [open, setOpen] = useState(false);
  const [type, setType] = useState<ProofType>("required");
  const [Dialog, setDialog] = useState<ComponentType<ProofDialogProps> | null>(null);
  const answer = useRef<(proved: boolean) => void>(undefined);

  useEffect(
    () =>
      setProofPrompt(async (asked) => {
        const loaded = await import("@/components/auth/proof-dialog").catch(() => null);
        if (loaded === null) return false;
        setDialog(() => loaded.ProofDialog);
        setType(asked);
        setOpen(true);
        return new Promise((resolve) => {
          answer.current = resolve;
        });
      }),
    [],
  );

  function close(proved: boolean): void {
    setOpen(false);
    answer.current?.(proved);
  }

  return Dialog === null ? null : <Dialog {...props} type={type} open={open} onClose={close} />;
}
