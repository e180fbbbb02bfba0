"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type Credentials, SignInForm } from "@/components/auth/sign-in-form";
import { signInAssertion, supportsAutofill } from "@/lib/client/passkeys";

type SignInPanelProps = {
  /** The path to open after sign-in. */
  to: string;
  defaultEmail?: string;
  /** The error that single sign-on returned. */
  initialError?: string;
  /** The name of the organization's single sign-on, when there is one. */
  singleSignOnName?: string;
  /** Whether passkeys work at the dashboard's URL. */
  hasPasskeys: boolean;
  /** Whether people can reset a forgotten password by email. */
  resetsByEmail?: boolean;
};

const BROKEN = "Sign-in failed because the server did not respond. Try again.";
const FAILURES: Readonly<Record<string, string>> = {
  CredentialsSignin: "Incorrect email or password.",
  unknown: "This passkey is not known here. It may have been removed. Sign in with your password.",
  sso_required: "Your team requires single sign-on. Use the button below.",
  challenge: "The passkey request has expired. Try again.",
  signature: "The passkey was not accepted. Try again, or sign in with your password.",
  copied:
    "This passkey was refused, because a copy of it was used since. Sign in another way, then remove it and add a new one.",
  busy: "Too many people are signing in. Try again in a few seconds.",
  removed: "The passkey was not accepted. Try again, or sign in with your password.",
};

/** A challenge is valid for five minutes, and the list of the email field stays open longer. */
const RENEW_MS = 4 * 60_000;

/** Signs in with the form's values or a passkey, then opens the requested page. */
export function SignInPanel({
  to,
  defaultEmail,
  initialError,
  singleSignOnName,
  hasPasskeys,
  resetsByEmail,
}: SignInPanelProps) {
  const router = useRouter();
  const [error, setError] = useState(initialError);

  async function submit(provider: "credentials" | "passkey", values: Record<string, string>): Promise<void> {
    const result = await signIn(provider, { ...values, redirect: false }).catch(() => undefined);
    if (result?.ok) {
      router.replace(to);
      router.refresh();
    } else {
      setError(result === undefined ? BROKEN : sentenceOf(result.error));
    }
  }

  const stopOffering = useOfferedPasskeys(hasPasskeys, (assertion) => submit("passkey", { assertion }));

  async function submitPasskey(): Promise<void> {
    stopOffering();
    try {
      await submit("passkey", { assertion: await signInAssertion() });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  }

  return (
    <SignInForm
      onSubmit={(credentials: Credentials) => submit("credentials", credentials)}
      error={error}
      defaultEmail={defaultEmail}
      {...(hasPasskeys && { onPasskey: submitPasskey })}
      singleSignOnName={singleSignOnName}
      resetsByEmail={resetsByEmail}
      onSingleSignOn={
        singleSignOnName === undefined ? undefined : () => void signIn("oidc", { callbackUrl: to })
      }
    />
  );
}

/** Offers passkeys in the list of the email field. Returns a function that ends the offer. */
function useOfferedPasskeys(isOffered: boolean, use: (assertion: string) => Promise<void>): () => void {
  const offer = useRef<AbortController>(undefined);
  const onAssertion = useEffectEvent(use);

  useEffect(() => {
    if (!isOffered) return;
    const unmounted = new AbortController();
    async function renew(): Promise<void> {
      offer.current?.abort();
      if (unmounted.signal.aborted || !(await supportsAutofill())) return;
      const current = new AbortController();
      offer.current = current;
      // Without an answer, the form still has its button.
      const assertion = await signInAssertion({ isConditional: true, signal: current.signal }).catch(
        () => null,
      );
      if (assertion !== null) await onAssertion(assertion);
    }
    void renew();
    const timer = setInterval(() => void renew(), RENEW_MS);
    return () => {
      clearInterval(timer);
      unmounted.abort();
      offer.current?.abort();
    };
  }, [isOffered]);

  return () => offer.current?.abort();
}

function sentenceOf(error: string | null): string {
  const [kind = "", seconds] = error?.split(":") ?? [];
  if (kind === "locked") return `Too many failed attempts. Try again in ${waitOf(Number(seconds))}.`;
  return FAILURES[kind] ?? "Incorrect email or password.";
}

function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
