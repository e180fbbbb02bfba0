"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { NewPasswordInput } from "@/components/auth/new-password-input";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { FailureNote } from "@/components/data/failure-note";
import { useSender } from "@/components/shell/rights";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldError, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { MIN_PASSWORD_LENGTH } from "@/lib/identity/users/password-rule";

type ChangePasswordProps = {
  email: string;
  /** Whether the user has a passkey, which can replace the password. */
  canRemove: boolean;
};

/** Changes or removes the user's own password. A change ends every session, then opens the sign-in page. */
export function ChangePassword({ email, canRemove }: ChangePasswordProps) {
  const sender = useSender();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const differs = again !== "" && again !== next;
  const change = useMutation<unknown, ApiFailure>({
    mutationFn: async () => {
      const { signOut } = await import("@/components/shell/sign-out");
      const body = { current_password: current, new_password: next };
      const end = () => apiFetch("/api/session/password", { method: "POST", body });
      return signOut(sender, end, `/sign-in?email=${encodeURIComponent(email)}`);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (next === again) change.mutate();
  }

  return (
    <section className="flex max-w-md flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-base">Password</h2>
        {canRemove && <RemovePassword />}
      </div>
      <form onSubmit={submit} aria-label="Change password" className="flex flex-col gap-4">
        <FailureNote title="The password was not changed" failure={change.error} />
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field>
          <FieldLabel>Current password</FieldLabel>
          <FieldControl>
            <Input
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          </FieldControl>
        </Field>
        <Field>
          <FieldLabel>New password</FieldLabel>
          <FieldControl>
            <NewPasswordInput value={next} onChange={(event) => setNext(event.target.value)} />
          </FieldControl>
          <FieldDescription>
            At least {MIN_PASSWORD_LENGTH} characters. After the change you are signed out everywhere. Sign in
            with the new password.
          </FieldDescription>
        </Field>
        <Field invalid={differs}>
          <FieldLabel>Confirm new password</FieldLabel>
          <FieldControl>
            <NewPasswordInput value={again} onChange={(event) => setAgain(event.target.value)} />
          </FieldControl>
          <FieldError>{differs && "The passwords don't match."}</FieldError>
        </Field>
        <Button type="submit" disabled={change.isPending || differs} className="self-start">
          {change.isPending && <Spinner />}
          Change password
        </Button>
      </form>
    </section>
  );
}

function RemovePassword() {
  const router = useRouter();
  return (
    <ConfirmAction
      label="Remove password"
      icon={null}
      title="Remove your password?"
      description="You sign in only with your passkeys from now on. If you lose them, an admin must reset your password."
      confirm="Remove password"
      keep="Cancel"
      done="Your password was removed"
      failed="Your password was not removed"
      action={() => apiFetch("/api/session/password", { method: "DELETE" })}
      onDone={() => router.refresh()}
    />
  );
}
