"use client";

import { SingleSignOnButton } from "@/components/auth/single-sign-on-button";

/** Links the user's account at the identity provider, which opens the user's account from then on. */
export function LinkSingleSignOn({ name }: { name: string }) {
  return (
    <section className="flex max-w-md flex-col gap-4">
      <h2 className="font-semibold text-base">Single sign-on</h2>
      <p className="text-muted-foreground text-sm">
        Your account is not linked to {name}. Within 10 minutes of a sign-in with your password or passkey,
        link the account there that has your email address. You can then sign in with {name}.
      </p>
      <SingleSignOnButton to="/settings/sessions" name={name} label={`Link ${name}`} />
    </section>
  );
}
