import { redirect } from "next/navigation";
import { AuthPage } from "@/components/auth/auth-page";
import { SignInPanel } from "@/components/auth/sign-in-panel";
import { safePath } from "@/lib/client/safe-path";
import { isMailOn } from "@/lib/identity/mail/queue-mail";
import { passkeyBlocker } from "@/lib/identity/passkeys/passkey-origin";
import type { Session } from "@/lib/identity/sessions/find-session";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { currentSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Sign in" };

const ERRORS: Record<string, string> = {
  unknown: "Your email address has no access to Trunkline. Ask an admin to invite you.",
  no_email:
    "Your identity provider sent no email address. Ask the operator of this instance to request the scope email.",
  unverified:
    "Your identity provider does not say that your email address is verified. Verify it there, or ask the operator of this instance about SSO_TRUST_EMAIL.",
  invalid:
    "Your identity provider sent an account or an email address that Trunkline can't use. Ask the operator of this instance.",
  linked:
    "Another account of your identity provider is already linked to this email address. Ask the operator of this instance to unlink it.",
  link_required:
    "Your account is not linked to single sign-on yet. Sign in with your password or passkey, then link it under Settings > Sign-in and sessions.",
  canceled: "You canceled the sign-in, or your identity provider does not let you use Trunkline.",
  provider:
    "Your identity provider did not complete the sign-in. Try again, or ask the operator of this instance.",
  unavailable: "Your identity provider is not available at the moment. Try again in a few minutes.",
  failed: "Trunkline could not complete the sign-in. Try again in a few seconds.",
  OAuthSignin: "Your identity provider does not respond. Try again in a few minutes.",
  OAuthCallback:
    "This sign-in is no longer valid: it took too long, or another one began in this browser. Try again.",
};

const START = "/sign-in";

/** The first page of a person who signed in: the inbox for support. */
function startOf({ account }: Session): string {
  return account?.role === "support" ? "/chats" : "/";
}

/** Why a page that was open led here. */
function SessionEnded() {
  return (
    <p role="status">
      Your session has ended. Sign in to go back to where you were. Messages that you were writing are still
      there.
    </p>
  );
}

type SignInPageProps = { searchParams: Promise<Record<string, string | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to, email, error, ended } = await searchParams;
  // Without a page that was asked for, this page itself leads to where the person starts.
  const target = to === undefined || safePath(to) === "/" ? START : safePath(to);
  const session = await currentSession();
  if (session !== null) redirect(target === START ? startOf(session) : target);

  return (
    <AuthPage
      title="Sign in"
      description={
        ended === undefined ? "Messaging and payments from your own phone numbers." : <SessionEnded />
      }
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
