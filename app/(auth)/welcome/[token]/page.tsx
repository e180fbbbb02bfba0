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
    <AuthPage title={`Welcome, ${user.name}`} description="Set the password you will sign in with.">
      <FirstPasswordForm email={user.email} token={token} />
    </AuthPage>
  );
}

function DeadLink() {
  return (
    <AuthPage
      title="This link no longer works"
      description="A link sets a password once, within 24 hours. If you have set yours, sign in with it; otherwise ask an admin for another link."
    >
      <Button asChild size="lg" variant="outline">
        <Link href="/sign-in">Go to the sign-in</Link>
      </Button>
    </AuthPage>
  );
}
