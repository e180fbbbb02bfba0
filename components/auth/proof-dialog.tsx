"use client";

import { Fingerprint, KeyRound } from "lucide-react";
import { signIn } from "next-auth/react";
import { type FormEvent, useState, useTransition } from "react";
import { PasskeyFailureNote } from "@/components/passkeys/passkey-failure";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { apiFetch } from "@/lib/client/api-fetch";
import type { ProofType } from "@/lib/client/ask-for-proof";
import { confirmWithPasskey } from "@/lib/client/passkeys";
import { PROOF_MINUTES } from "@/lib/identity/sessions/proof-rule";

export type ProofDialogProps = {
  email: string;
  hasPassword: boolean;
  hasPasskey: boolean;
  /** The name of the organization's single sign-on, when there is one. */
  singleSignOnName?: string | undefined;
  /** The proof that the action requires. */
  type: ProofType;
  open: boolean;
  onClose: (proved: boolean) => void;
};

/** Asks for a passkey, the user's password or a new single sign-on. */
export function ProofDialog({ open, onClose, ...form }: ProofDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose(false)}>
      <DialogContent className="sm:max-w-md">
        <ProofForm {...form} onProved={() => onClose(true)} />
      </DialogContent>
    </Dialog>
  );
}

type ProofFormProps = Omit<ProofDialogProps, "open" | "onClose"> & { onProved: () => void };

function ProofForm({ type, hasPassword, hasPasskey, singleSignOnName, email, onProved }: ProofFormProps) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<Error>();
  const [pending, startTransition] = useTransition();
  const asksForPassword = hasPassword && type === "required";

  function prove(work: () => Promise<unknown>): void {
    startTransition(async () => {
      try {
        await work();
        onProved();
      } catch (error) {
        if (error instanceof Error) setFailure(error);
        setPassword("");
      }
    });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The dialog may be rendered inside another form; React would bubble the submit event to it.
    event.stopPropagation();
    prove(() => apiFetch("/api/session/proof", { method: "POST", body: { password } }));
  }

  return (
    <form onSubmit={submit} aria-label="Confirm your identity" className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Confirm your identity</DialogTitle>
        <DialogDescription>{sentenceOf({ type, hasPassword, hasPasskey })}</DialogDescription>
      </DialogHeader>
      <PasskeyFailureNote title="Your identity was not confirmed" failure={failure} />
      {asksForPassword && (
        <>
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <Field>
            <FieldLabel>Password</FieldLabel>
            <FieldControl>
              <Input
                type="password"
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </FieldControl>
          </Field>
        </>
      )}
      <DialogFooter>
        {singleSignOnName && type === "required" && (
          <Button
            type="button"
            variant="outline"
            // The provider must ask for the credentials again and report when the user authenticated.
            onClick={() =>
              void signIn("oidc", { callbackUrl: location.href }, { prompt: "login", max_age: "0" })
            }
          >
            <KeyRound />
            Sign in again with {singleSignOnName}
          </Button>
        )}
        {hasPasskey && (
          <Button
            type="button"
            variant={asksForPassword ? "outline" : "default"}
            disabled={pending}
            onClick={() => prove(confirmWithPasskey)}
          >
            <Fingerprint />
            Use a passkey
          </Button>
        )}
        {asksForPassword && (
          <Button type="submit" disabled={pending || password === ""}>
            {pending && <Spinner />}
            Confirm
          </Button>
        )}
      </DialogFooter>
    </form>
  );
}

function sentenceOf({
  type,
  hasPassword,
  hasPasskey,
}: Pick<ProofFormProps, "type" | "hasPassword" | "hasPasskey">) {
  const again = `Trunkline asks again after ${PROOF_MINUTES} minutes.`;
  if (type === "passkey") {
    return hasPasskey
      ? "This action requires a passkey. Use one of yours to continue."
      : "This action requires a passkey, and you have none. Add one under Settings, then try again.";
  }
  if (hasPassword) return `Enter your password${hasPasskey ? " or use a passkey" : ""} to continue. ${again}`;
  return hasPasskey ? `Use a passkey to continue. ${again}` : `Sign in again to continue. ${again}`;
}
