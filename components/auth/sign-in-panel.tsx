"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { type Credentials, SignInForm } from "@/components/auth/sign-in-form";

type SignInPanelProps = {
  /** The path to open after sign-in. */
  to: string;
  defaultEmail?: string;
  /** The error that single sign-on returned. */
  initialError?: string;
  /** The name of the organization's single sign-on, when there is one. */
  singleSignOnName?: string;
};

const WRONG = "Incorrect email or password.";
const BROKEN = "Sign-in failed because the server did not respond. Try again.";

/** Signs in with the form's values, then opens the requested page. */
export function SignInPanel({ to, defaultEmail, initialError, singleSignOnName }: SignInPanelProps) {
  const router = useRouter();
  const [error, setError] = useState(initialError);

  async function submit(credentials: Credentials): Promise<void> {
    const result = await signIn("credentials", { ...credentials, redirect: false }).catch(() => undefined);
    if (result?.ok) {
      router.replace(to);
      router.refresh();
    } else {
      setError(result === undefined ? BROKEN : sentenceOf(result.error));
    }
  }

  return (
    <SignInForm
      onSubmit={submit}
      error={error}
      defaultEmail={defaultEmail}
      singleSignOnName={singleSignOnName}
      onSingleSignOn={
        singleSignOnName === undefined ? undefined : () => void signIn("oidc", { callbackUrl: to })
      }
    />
  );
}

function sentenceOf(error: string | null): string {
  const [kind, seconds] = error?.split(":") ?? [];
  if (kind !== "locked") return WRONG;
  return `Too many failed attempts. Try again in ${waitOf(Number(seconds))}.`;
}

function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
