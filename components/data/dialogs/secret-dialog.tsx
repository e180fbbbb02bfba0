"use client";

import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { TextCopied } from "@/components/data/copy/text-copied";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";

export type ShownSecret = {
  value: string;
  /** The name of the secret in the question, for example "token". */
  label: string;
  /** How to get another one, as a sentence. */
  remedy: string;
};

type SecretDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger?: ReactElement;
  /** The secret that the dialog shows now; null while it shows none. */
  secret: ShownSecret | null;
  className?: string;
  children: ReactNode;
};

/**
 * A dialog that shows a secret once. Escape, a click outside and the close button ask for confirmation while the secret
 * has not been copied, and so does leaving the page. A button in the dialog that closes it on purpose does not ask.
 */
export function SecretDialog({
  open,
  onOpenChange,
  trigger,
  secret,
  className,
  children,
}: SecretDialogProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const isAtRisk = open && secret !== null && copied !== secret.value;
  useLeaveWarning(isAtRisk);

  function noteCopied(text: string): void {
    if (secret !== null && text.includes(secret.value)) setCopied(secret.value);
  }

  return (
    <Dialog open={open} onOpenChange={(next) => (!next && isAtRisk ? setAsking(true) : onOpenChange(next))}>
      {trigger && <DialogTrigger asChild>{trigger}</DialogTrigger>}
      <DialogContent className={className} onCopy={() => noteCopied(String(document.getSelection()))}>
        <TextCopied value={noteCopied}>{children}</TextCopied>
        {secret !== null && (
          <AlertDialog open={isAsking && isAtRisk} onOpenChange={setAsking}>
            <AlertDialogContent>
              <AlertDialogHeader>
                <AlertDialogTitle>Close without copying the {secret.label}?</AlertDialogTitle>
                <AlertDialogDescription>
                  The {secret.label} is not shown again. {secret.remedy}
                </AlertDialogDescription>
              </AlertDialogHeader>
              <AlertDialogFooter>
                <AlertDialogCancel>Go back</AlertDialogCancel>
                <AlertDialogAction variant="destructive" onClick={() => onOpenChange(false)}>
                  Close without copying
                </AlertDialogAction>
              </AlertDialogFooter>
            </AlertDialogContent>
          </AlertDialog>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** The browser asks before a reload or a closed tab discards the secret. */
function useLeaveWarning(isAtRisk: boolean): void {
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isAtRisk]);
}
