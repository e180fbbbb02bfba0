import { redirect } from "next/navigation";
import { InvitationAnswer } from "@/components/auth/invitation-answer";
import { SignOutButton } from "@/components/auth/sign-out-button";
import { MessagePage } from "@/components/shell/message-page";
import { listOwnInvitations } from "@/lib/identity/people/accept-invitation";
import { requireSession } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "No account" };

export default async function NoAccountPage() {
  const session = await requireSession();
  const { account, user } = session;
  if (account !== null) redirect("/");
  const [invitation] = await listOwnInvitations(session);
  if (invitation !== undefined) {
    const { id, partner, role } = invitation;
    return (
      <MessagePage
        title={`You are invited to ${partner.name}`}
        description={`You are signed in as ${user.email}. ${partner.name} offers you the role ${role}. Its admins see your name and email address after you accept.`}
        actions={
          <>
            <InvitationAnswer invitationId={id} partner={partner.name} />
            <SignOutButton />
          </>
        }
      />
    );
  }
  return (
    <MessagePage
      title="You don't have access to an account yet"
      description={`You are signed in as ${user.email}, but no partner has given you access to an account. Ask an admin to add you, then reload this page.`}
      actions={<SignOutButton />}
    />
  );
}
