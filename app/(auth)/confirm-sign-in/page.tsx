import { redirect } from "next/navigation";
import { AuthPage } from "@/components/auth/auth-page";
import { OtherAccounts } from "@/components/auth/other-accounts";
import { ProofPrompt } from "@/components/auth/proof-prompt";
import { SignOutButton } from "@/components/auth/sign-out-button";
import { SingleSignOnButton } from "@/components/auth/single-sign-on-button";
import { ConfirmPasskey } from "@/components/passkeys/confirm-passkey";
import { Providers } from "@/components/shell/providers";
import { safePath } from "@/lib/client/safe-path";
import type { SessionAccount } from "@/lib/identity/sessions/find-session";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { requireSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Confirm your sign-in" };

type ConfirmSignInPageProps = { searchParams: Promise<Record<string, string | undefined>> };

export default async function ConfirmSignInPage({ searchParams }: ConfirmSignInPageProps) {
  const { to } = await searchParams;
  const target = safePath(to);
  const { account, accounts, user } = await requireSession();
  if (account === null || account.lacks === null) redirect(target);

  const others = accounts.filter(({ lacks }) => lacks === null);
  return (
    <Providers>
      <ProofPrompt
        email={user.email}
        hasPassword={user.hasPassword}
        hasPasskey={user.hasPasskey}
        singleSignOnName={singleSignOnName() ?? undefined}
      />
      <AuthPage {...textsOf(account, user.hasPasskey)}>
        {account.lacks === "passkey" && <ConfirmPasskey to={target} hasPasskey={user.hasPasskey} />}
        {account.lacks === "single_sign_on" && (
          <SingleSignOnButton to={target} name={singleSignOnName() ?? undefined} />
        )}
        <OtherAccounts
          accounts={others.map(({ id, name, partner }) => ({ id, name: `${partner.name} / ${name}` }))}
        />
        <SignOutButton />
      </AuthPage>
    </Providers>
  );
}

function textsOf({ lacks, partner }: SessionAccount, hasPasskey: boolean) {
  if (lacks === "single_sign_on") {
    return {
      title: "Single sign-on required",
      description: `${partner.name} requires single sign-on. Sign in with it to continue.`,
      footer: "If single sign-on doesn't work, ask the operator of this instance.",
    };
  }
  if (lacks === "sign_in") {
    return {
      title: "Sign in again",
      description: `An admin signed you out of ${partner.name}. Sign out, then sign in again to continue.`,
    };
  }
  return {
    title: hasPasskey ? "Confirm your sign-in" : "Add a passkey",
    description: `Admins of ${partner.name} need a passkey. ${
      hasPasskey
        ? "Use one of yours to continue."
        : "Add one for this device or your password manager to continue."
    }`,
    footer:
      "If you lost your passkey, ask another admin or the operator of this instance to remove it. You can then add another one.",
  };
}
