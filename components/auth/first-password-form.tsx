"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { type FormEvent, useState, useTransition } from "react";
import { NewPasswordInput } from "@/components/auth/new-password-input";
import { readField } from "@/components/auth/read-field";
import { useHydrated } from "@/components/auth/use-hydrated";
import { Alert, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Field,
  FieldControl,
  FieldDescription,
  FieldError,
  FieldGroup,
  FieldLabel,
} from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { apiFetch } from "@/lib/client/api-fetch";
import { MIN_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";

type FirstPasswordFormProps = {
  email: string;
  /** The token of the one-time link. */
  token: string;
  /** Whether the person is signed in with the new password. Who resets one signs in with it. */
  signsIn?: boolean;
};

/** Signs in. false = not possible at the moment; the sign-in page then says why. */
async function signInWith(email: string, password: string): Promise<boolean> {
  const result = await signIn("credentials", { email, password, redirect: false }).catch(() => undefined);
  return result?.ok === true;
}

/** The form in which a new user sets a password. The email field is for password managers. */
export function FirstPasswordForm({ email, token, signsIn = false }: FirstPasswordFormProps) {
  const hydrated = useHydrated();
  const [differs, setDiffers] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [pending, startTransition] = useTransition();
  const router = useRouter();

  function compare(event: FormEvent<HTMLFormElement>): void {
    const again = readField(event.currentTarget, "password-again");
    setDiffers(again !== "" && again !== readField(event.currentTarget, "password"));
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const password = readField(event.currentTarget, "password");
    if (password !== readField(event.currentTarget, "password-again")) {
      setDiffers(true);
      return;
    }
    startTransition(async () => {
      try {
        await apiFetch("/api/welcome", { method: "POST", body: { token, password } });
        if (signsIn && (await signInWith(email, password))) {
          router.replace("/sign-in");
          router.refresh();
        } else {
          router.push(`/sign-in?email=${encodeURIComponent(email)}`);
        }
      } catch (error) {
        setRefused(error instanceof Error ? error.message : String(error));
      }
    });
  }

  return (
    <form
      method="post"
      onInput={compare}
      onSubmit={submit}
      aria-label="Set your password"
      className="flex flex-col gap-5"
    >
      {refused && (
        <Alert variant="destructive">
          <AlertTitle className="tracking-normal">{refused}</AlertTitle>
        </Alert>
      )}
      <FieldGroup className="gap-4">
        <Field>
          <FieldLabel>Email</FieldLabel>
          <FieldControl>
            <Input type="email" name="email" autoComplete="username" value={email} readOnly />
          </FieldControl>
        </Field>
        <Field>
          <FieldLabel>Password</FieldLabel>
          <FieldControl>
            <NewPasswordInput name="password" />
          </FieldControl>
          <FieldDescription>At least {MIN_PASSWORD_LENGTH} characters.</FieldDescription>
        </Field>
        <Field invalid={differs}>
          <FieldLabel>Confirm password</FieldLabel>
          <FieldControl>
            <NewPasswordInput name="password-again" />
          </FieldControl>
          <FieldError>{differs && "The passwords don't match."}</FieldError>
        </Field>
      </FieldGroup>
      <Button type="submit" size="lg" disabled={!hydrated || pending || differs} className="w-full">
        {pending && <Spinner />}
        {pending ? "Setting…" : signsIn ? "Set password and sign in" : "Set password"}
      </Button>
    </form>
  );
}
