import { redirect } from "next/navigation";
import { AuthPage } from "@/components/auth/auth-page";
import { SignInPanel } from "@/components/auth/sign-in-panel";
import { safePath } from "@/lib/client/safe-path";
import { currentSession } from "@/lib/runtime/dashboard/current-session";
import { singleSignOnName } from "@/lib/runtime/dashboard/single-sign-on-name";

export const metadata = { title: "Sign in" };

const ERRORS: Record<string, string> = {
  unknown: "Nobody with your e-mail address has access here. Ask an admin to add you.",
  unverified: "Your sign-on did not confirm your e-mail address, so it does not open this door.",
  OAuthCallback: "The sign-on was not completed. Try again.",
};

type SignInPageProps = { searchParams: Promise<Record<string, string | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { to, email, error } = await searchParams;
  const target = safePath(to);
  if ((await currentSession()) !== null) redirect(target);

  return (
    <AuthPage
      title="Sign in"
      description="Messages and payments from your own lines."
      footer="No access yet? An admin can add you; you then get a link to set your password."
    >
      <SignInPanel
        to={target}
        defaultEmail={email}
        initialError={
          error === undefined ? undefined : (ERRORS[error] ?? "The sign-in did not work. Try again.")
        }
        singleSignOnName={singleSignOnName() ?? undefined}
      />
    </AuthPage>
  );
}
