import { redirect } from "next/navigation";
import { AuthPage } from "@/components/auth/auth-page";
import { SignInPanel } from "@/components/auth/sign-in-panel";
import { safePath } from "@/lib/client/safe-path";
import { isMailOn } from "@/lib/identity/mail/queue-mail";
import { passkeyBlocker } from "@/lib/identity/passkeys/passkey-origin";
import { singleSignOnName } from "@/lib/identity/sso/single-sign-on-name";
import { currentSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Sign in" };

const ERRORS: Record<string, string> = {
  unknown: "Your email address has no access to Trunkline. Ask an admin to add you.",
  unverified:
    "Your identity provider has not verified your email address. Verify it there, then sign in again.",
  OAuthCallback: "Single sign-on was not completed. Try again.",
};

type SignInPageProps = { searchParams: Promise<Record<string, string | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to, email, error } = await searchParams;
  const target = safePath(to);
  if ((await currentSession()) !== null) redirect(target);

  return (
    <AuthPage
      title="Sign in"
      description="Messaging and payments from your own phone numbers."
      footer="No access yet? Ask an admin to add you. You then get a link to set your password."
    >
      <SignInPanel
        to={target}
        defaultEmail={email}
        initialError={error === undefined ? undefined : (ERRORS[error] ?? "Sign-in failed. Try again.")}
        singleSignOnName={singleSignOnName() ?? undefined}
        hasPasskeys={passkeyBlocker() === null}
        resetsByEmail={isMailOn()}
      />
    </AuthPage>
  );
}
