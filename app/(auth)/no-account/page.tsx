import { redirect } from "next/navigation";
import { SignOutButton } from "@/components/auth/sign-out-button";
import { MessagePage } from "@/components/shell/message-page";
import { requireSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "No account" };

export default async function NoAccountPage() {
  const { account, user } = await requireSession();
  if (account !== null) redirect("/");
  return (
    <MessagePage
      title="You don't have access to an account yet"
      description={`You are signed in as ${user.email}, but no partner has given you access to an account. Ask an admin to add you, then reload this page.`}
      actions={<SignOutButton />}
    />
  );
}
