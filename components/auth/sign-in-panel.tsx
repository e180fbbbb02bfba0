"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { type Credentials, SignInForm } from "@/components/auth/sign-in-form";

type SignInPanelProps = {
  /** Where to go once signed in. */
  to: string;
  defaultEmail?: string;
  /** Why single sign-on brought the reader back here. */
  initialError?: string;
  /** What the organization's own sign-on is called, when there is one. */
  singleSignOnName?: string;
};

const WRONG = "This e-mail and password do not match.";
const BROKEN = "The sign-in did not work: the server did not answer. Try again.";

/** Signs in with what the form gives and goes on to the page that was asked for. */
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
  return `Too many wrong passwords. Try again in ${waitOf(Number(seconds))}.`;
}

function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
