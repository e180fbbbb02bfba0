"use client";

import { Fingerprint } from "lucide-react";
import { useState, useTransition } from "react";
import { AddPasskeyButton } from "@/components/passkeys/add-passkey-button";
import { PasskeyFailureNote } from "@/components/passkeys/passkey-failure";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { confirmWithPasskey } from "@/lib/client/passkeys";

type ConfirmPasskeyProps = {
  /** The path to open afterwards. */
  to: string;
  hasPasskey: boolean;
};

/** Completes a sign-in with a password: uses one of the user's passkeys, or adds the first one. */
export function ConfirmPasskey({ to, hasPasskey }: ConfirmPasskeyProps) {
  const [failure, setFailure] = useState<Error>();
  const [pending, startTransition] = useTransition();
  const open = () => location.assign(to);

  function confirm(): void {
    startTransition(async () => {
      try {
        await confirmWithPasskey();
        open();
      } catch (error) {
        if (error instanceof Error) setFailure(error);
      }
    });
  }

  if (!hasPasskey) return <AddPasskeyButton onAdded={open} />;
  return (
    <div className="flex flex-col gap-4">
      <PasskeyFailureNote title="Your sign-in was not confirmed" failure={failure} />
      <Button size="lg" disabled={pending} onClick={confirm} className="w-full">
        {pending ? <Spinner /> : <Fingerprint />}
        Use a passkey
      </Button>
    </div>
  );
}
