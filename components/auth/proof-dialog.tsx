"use client";

import { KeyRound } from "lucide-react";
import { signIn } from "next-auth/react";
import { type FormEvent, useState, useTransition } from "react";
import { FailureNote } from "@/components/data/failure-note";
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
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { PROOF_MINUTES } from "@/lib/identity/users/proof-rule";

export type ProofDialogProps = {
  email: string;
  /** The name of the organization's single sign-on, when there is one. */
  singleSignOnName?: string | undefined;
  open: boolean;
  onClose: (proved: boolean) => void;
};

/** Asks for the user's password or a new single sign-on. */
export function ProofDialog({ open, onClose, ...form }: ProofDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose(false)}>
      <DialogContent className="sm:max-w-md">
        <ProofForm {...form} onProved={() => onClose(true)} />
      </DialogContent>
    </Dialog>
  );
}

type ProofFormProps = Pick<ProofDialogProps, "email" | "singleSignOnName"> & { onProved: () => void };

function ProofForm({ email, singleSignOnName, onProved }: ProofFormProps) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<ApiFailure>();
  const [pending, startTransition] = useTransition();

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The dialog may be rendered inside another form; React would bubble the submit event to it.
    event.stopPropagation();
    startTransition(async () => {
      try {
        await apiFetch("/api/session/proof", { method: "POST", body: { password } });
        onProved();
      } catch (error) {
        if (error instanceof ApiFailure) setFailure(error);
        setPassword("");
      }
    });
  }

  return (
    <form onSubmit={submit} aria-label="Confirm your identity" className="flex flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Confirm your identity</DialogTitle>
        <DialogDescription>
          Enter your password to continue. Trunkline asks again after {PROOF_MINUTES} minutes.
        </DialogDescription>
      </DialogHeader>
      <FailureNote title="Your identity was not confirmed" failure={failure ?? null} />
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
      <DialogFooter>
        {singleSignOnName && (
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
        <Button type="submit" disabled={pending || password === ""}>
          {pending && <Spinner />}
          Confirm
        </Button>
      </DialogFooter>
    </form>
  );
}
