import Link from "next/link";
import { AuthPage } from "@/components/auth/auth-page";
import { FirstPasswordForm } from "@/components/auth/first-password-form";
import { Button } from "@/components/ui/button";
import { findSignInLink } from "@/lib/identity/users/sign-in-link";

export const metadata = { title: "Welcome", referrer: "no-referrer" };

type WelcomePageProps = { params: Promise<{ token: string }> };

export default async function WelcomePage({ params }: WelcomePageProps) {
  const { token } = await params;
  const user = await findSignInLink(token);
  if (user === null) return <DeadLink />;
  return (
    <AuthPage
      title={user.isNew ? `Welcome, ${user.name}` : "Set a new password"}
      description={
        user.isNew
          ? "Set the password for your account."
          : "You are then signed out of all browsers and can sign in with the new password."
      }
    >
      <FirstPasswordForm email={user.email} token={token} />
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
