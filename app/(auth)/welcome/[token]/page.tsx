import Link from "next/link";
import { AuthPage } from "@/components/auth/auth-page";
import { FirstPasswordForm } from "@/components/auth/first-password-form";
import { InvitationAnswer } from "@/components/auth/invitation-answer";
import { SignOutButton } from "@/components/auth/sign-out-button";
import { SingleSignOnButton } from "@/components/auth/single-sign-on-button";
import { Button } from "@/components/ui/button";
import { findInvitation, type OpenInvitation, setsPassword } from "@/lib/identity/people/open-invitation";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { findSignInLink } from "@/lib/identity/users/sign-in-link";
import { currentSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Welcome", referrer: "no-referrer" };

type WelcomePageProps = { params: Promise<{ token: string }> };

export default async function WelcomePage({ params }: WelcomePageProps) {
  const { token } = await params;
  const user = await findSignInLink(token);
  if (user === null) {
    const invitation = await findInvitation(token);
    return invitation === null ? <DeadLink /> : <Invitation invitation={invitation} token={token} />;
  }
  return (
    <AuthPage
      title={user.isNew ? `Welcome, ${user.name}` : "Set a new password"}
      description={
        user.isNew
          ? "Set the password for your account."
          : "You are then signed out of all browsers and can sign in with the new password. Passkeys stop working unless your team requires them."
      }
    >
      <FirstPasswordForm email={user.email} token={token} signsIn={user.isNew} />
    </AuthPage>
  );
}

type InvitationProps = { invitation: OpenInvitation; token: string };

async function Invitation({ invitation, token }: InvitationProps) {
  const { email, name, partner, signsInWith } = invitation;
  if (signsInWith !== null && setsPassword(invitation)) {
    return (
      <AuthPage title={`Welcome, ${name}`} description={`${partner.name} invites you. Sign in to accept.`}>
        <SingleSignOnButton to="/sign-in" name={singleSignOnName() ?? undefined} />
      </AuthPage>
    );
  }
  if (setsPassword(invitation)) {
    return (
      <AuthPage
        title={`Welcome, ${name}`}
        description={`${partner.name} invites you. Set the password for your account to accept.`}
      >
        <FirstPasswordForm email={email} token={token} signsIn />
      </AuthPage>
    );
  }
  const session = await currentSession();
  if (session === null) {
    const to = encodeURIComponent(`/welcome/${token}`);
    return (
      <AuthPage
        title={`${partner.name} invites you`}
        description={`You have an account with ${email}. Sign in to accept the invitation.`}
      >
        <Button asChild size="lg">
          <Link href={`/sign-in?to=${to}&email=${encodeURIComponent(email)}`}>Sign in</Link>
        </Button>
      </AuthPage>
    );
  }
  if (session.user.email !== email) {
    return (
      <AuthPage
        title="This invitation is for another person"
        description={`You are signed in as ${session.user.email}, and the invitation is for ${email}. Sign out, then open the link again.`}
      >
        <SignOutButton />
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title={`${partner.name} invites you`}
      description="Its admins see your name and your last sign-in after you accept."
    >
      <InvitationAnswer invitationId={invitation.id} partner={partner.name} token={token} />
    </AuthPage>
  );
}

function DeadLink() {
  return (
    <AuthPage
      title="This link no longer works"
      description="Links work once and expire. If you have already set your password, sign in. Otherwise, ask an admin for a new link."
    >
      <Button asChild size="lg" variant="outline">
        <Link href="/sign-in">Go to sign-in</Link>
      </Button>
    </AuthPage>
  );
}
