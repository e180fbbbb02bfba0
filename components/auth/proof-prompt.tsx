"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import type { ProofDialogProps } from "@/components/auth/proof-dialog";
import { setProofPrompt } from "@/lib/client/ask-for-proof";

type ProofPromptProps = Pick<ProofDialogProps, "email" | "singleSignOnName">;

/**
 * Asks for the password before an action that requires a recent proof of identity, then continues the action. The
 * dialog is loaded when it is first needed; if it cannot be loaded, the action fails as without a proof.
 */
export function ProofPrompt(props: ProofPromptProps) {
  const [open, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<ProofDialogProps> | null>(null);
  const answer = useRef<(proved: boolean) => void>(undefined);

  useEffect(
    () =>
      setProofPrompt(async () => {
        const loaded = await import("@/components/auth/proof-dialog").catch(() => null);
        if (loaded === null) return false;
        setDialog(() => loaded.ProofDialog);
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

  return Dialog === null ? null : <Dialog {...props} open={open} onClose={close} />;
}
