import Link from "next/link";
import { AuthPage } from "@/components/auth/auth-page";
import { PasswordResetForm } from "@/components/auth/password-reset-form";
import { Button } from "@/components/ui/button";
import { isMailOn } from "@/lib/identity/mail/queue-mail";

export const metadata = { title: "Reset your password" };

type ResetPasswordPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function ResetPasswordPage({ searchParams }: ResetPasswordPageProps) {
  const { email } = await searchParams;
  if (!isMailOn()) return <NoEmail />;
  return (
    <AuthPage
      title="Reset your password"
      description="Enter your email address. You then get a link to set a new password."
    >
      <PasswordResetForm defaultEmail={typeof email === "string" ? email : ""} />
    </AuthPage>
  );
}

function NoEmail() {
  return (
    <AuthPage
      title="Reset your password"
      description="This instance of Trunkline sends no email. Ask an admin for a link that sets a new password."
    >
      <Button asChild size="lg" variant="outline">
        <Link href="/sign-in">Go to sign-in</Link>
      </Button>
    </AuthPage>
  );
}
