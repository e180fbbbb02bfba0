"use client";

import { Eye, EyeOff, Fingerprint, KeyRound } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useRef, useState, useTransition } from "react";
import { readField } from "@/components/auth/read-field";
import { useHydrated } from "@/components/auth/use-hydrated";
import { Alert, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldGroup, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from "@/components/ui/input-group";
import { Spinner } from "@/components/ui/spinner";

export type Credentials = { email: string; password: string };

type SignInFormProps = {
  /** Signs in and redirects. On failure the caller sets `error`. */
  onSubmit: (credentials: Credentials) => Promise<void>;
  /** Why the last attempt failed and what to do next. */
  error?: ReactNode;
  /** Present when passkeys work at the dashboard's URL. Signs in with a passkey, without an email address. */
  onPasskey?: () => Promise<void>;
  /** Present when the instance has single sign-on. */
  onSingleSignOn?: () => void;
  /** The display name, for example "Okta". */
  singleSignOnName?: string;
  defaultEmail?: string;
  /** Links to the page that sends a password reset. */
  resetsByEmail?: boolean;
};

/** The sign-in form: email and password, a passkey, or the organization's single sign-on. */
export function SignInForm(props: SignInFormProps) {
  const { onSubmit, error, onPasskey, onSingleSignOn, resetsByEmail } = props;
  const { singleSignOnName = "single sign-on", defaultEmail = "" } = props;
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const [pending, startTransition] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = readField(event.currentTarget, "email").trim();
    const password = readField(event.currentTarget, "password");
    startTransition(() => onSubmit({ email, password }));
  }

  return (
    <form ref={form} method="post" onSubmit={submit} className="flex flex-col gap-5" aria-label="Sign in">
      {error && (
        <Alert variant="destructive">
          <AlertTitle className="tracking-normal">{error}</AlertTitle>
        </Alert>
      )}
      <FieldGroup className="gap-4">
        <Field>
          <FieldLabel>Email</FieldLabel>
          <FieldControl>
            <Input
              type="email"
              name="email"
              autoComplete={onPasskey ? "username webauthn" : "username"}
              required
              defaultValue={defaultEmail}
            />
          </FieldControl>
        </Field>
        <PasswordField />
      </FieldGroup>
      <Button type="submit" size="lg" disabled={!hydrated || pending} className="w-full">
        {pending && <Spinner />}
        {pending ? "Signing in…" : "Sign in"}
      </Button>
      {resetsByEmail && (
        <PasswordResetLink
          defaultEmail={defaultEmail}
          readEmail={() => (form.current === null ? "" : readField(form.current, "email"))}
        />
      )}
      {onPasskey && (
        <Button
          variant="outline"
          size="lg"
          disabled={!hydrated || pending}
          onClick={() => startTransition(onPasskey)}
          className="w-full"
        >
          <Fingerprint />
          Continue with a passkey
        </Button>
      )}
      {onSingleSignOn && (
        <Button variant="outline" size="lg" disabled={!hydrated} onClick={onSingleSignOn} className="w-full">
          <KeyRound />
          Continue with {singleSignOnName}
        </Button>
      )}
    </form>
  );
}

type PasswordResetLinkProps = { defaultEmail: string; readEmail: () => string };

/** Opens the page that sends a password reset, with the email that the form has at that moment. */
function PasswordResetLink({ defaultEmail, readEmail }: PasswordResetLinkProps) {
  const router = useRouter();
  return (
    <Link
      href={resetPageOf(defaultEmail)}
      onNavigate={(event) => {
        event.preventDefault();
        router.push(resetPageOf(readEmail()));
      }}
      className="text-muted-foreground text-sm underline-offset-4 hover:text-foreground hover:underline"
    >
      Forgot your password?
    </Link>
  );
}

function resetPageOf(email: string): string {
  return `/reset-password?email=${encodeURIComponent(email.trim())}`;
}

function PasswordField() {
  const [shown, setShown] = useState(false);
  return (
    <Field>
      <FieldLabel>Password</FieldLabel>
      <InputGroup>
        <FieldControl>
          <InputGroupInput
            type={shown ? "text" : "password"}
            name="password"
            autoComplete="current-password"
            required
          />
        </FieldControl>
        <InputGroupAddon>
          <InputGroupButton
            aria-label={shown ? "Hide the password" : "Show the password"}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff /> : <Eye />}
          </InputGroupButton>
        </InputGroupAddon>
      </InputGroup>
    </Field>
  );
}
