"use client";

import { Eye, EyeOff, Fingerprint, KeyRound } from "lucide-react";
import Link from "next/link";
import { type FormEvent, type ReactNode, useState, useTransition } from "react";
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
  const [email, setEmail] = useState(defaultEmail);
  const [password, setPassword] = useState("");
  const [pending, startTransition] = useTransition();

  function submit(event: FormEvent): void {
    event.preventDefault();
    startTransition(() => onSubmit({ email: email.trim(), password }));
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5" aria-label="Sign in">
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
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </FieldControl>
        </Field>
        <PasswordField value={password} onChange={setPassword} />
      </FieldGroup>
      <Button type="submit" size="lg" disabled={pending} className="w-full">
        {pending && <Spinner />}
        {pending ? "Signing in…" : "Sign in"}
      </Button>
      {resetsByEmail && (
        <Link
          href={`/reset-password?email=${encodeURIComponent(email.trim())}`}
          className="text-muted-foreground text-sm underline-offset-4 hover:text-foreground hover:underline"
        >
          Forgot your password?
        </Link>
      )}
      {onPasskey && (
        <Button
          variant="outline"
          size="lg"
          disabled={pending}
          onClick={() => startTransition(onPasskey)}
          className="w-full"
        >
          <Fingerprint />
          Continue with a passkey
        </Button>
      )}
      {onSingleSignOn && (
        <Button variant="outline" size="lg" onClick={onSingleSignOn} className="w-full">
          <KeyRound />
          Continue with {singleSignOnName}
        </Button>
      )}
    </form>
  );
}

function PasswordField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
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
            value={value}
            onChange={(event) => onChange(event.target.value)}
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
