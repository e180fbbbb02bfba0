"use client";

import { MailCheck } from "lucide-react";
import Link from "next/link";
import { type FormEvent, useState, useTransition } from "react";
import { readField } from "@/components/auth/read-field";
import { useHydrated } from "@/components/auth/use-hydrated";
import { FailureNote } from "@/components/data/failure-note";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** Requests an email with a link that sets a new password. The answer doesn't reveal whether the address has a user. */
export function PasswordResetForm({ defaultEmail }: { defaultEmail: string }) {
  const hydrated = useHydrated();
  const [sentTo, setSentTo] = useState<string>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [pending, startTransition] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = readField(event.currentTarget, "email").trim();
    startTransition(async () => {
      try {
        await apiFetch("/api/password-reset", { method: "POST", body: { email } });
        setSentTo(email);
        setFailure(undefined);
      } catch (error) {
        if (error instanceof ApiFailure) setFailure(error);
      }
    });
  }

  if (sentTo !== undefined) {
    return (
      <div className="flex flex-col gap-5">
        <Alert role="status">
          <MailCheck />
          <AlertTitle className="tracking-normal">Check your email</AlertTitle>
          <AlertDescription>
            If {sentTo} belongs to a user, a link is on its way. The link works once, within 30 minutes.
          </AlertDescription>
        </Alert>
        <BackToSignIn />
      </div>
    );
  }

  return (
    <form method="post" onSubmit={submit} aria-label="Reset your password" className="flex flex-col gap-5">
      <FailureNote title="The link was not requested" failure={failure ?? null} />
      <Field>
        <FieldLabel>Email</FieldLabel>
        <FieldControl>
          <Input type="email" name="email" autoComplete="username" required defaultValue={defaultEmail} />
        </FieldControl>
      </Field>
      <Button type="submit" size="lg" disabled={!hydrated || pending} className="w-full">
        {pending && <Spinner />}
        Send link
      </Button>
      <BackToSignIn />
    </form>
  );
}

function BackToSignIn() {
  return (
    <Button asChild variant="ghost" size="lg" className="w-full">
      <Link href="/sign-in">Back to sign-in</Link>
    </Button>
  );
}
