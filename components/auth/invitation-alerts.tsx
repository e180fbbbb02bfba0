import { Mail } from "lucide-react";
import { InvitationAnswer } from "@/components/auth/invitation-answer";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";

export type InvitationAlertsProps = {
  invitations: { id: string; role: string; partner: { name: string } }[];
};

/** The invitations that the user can accept or decline. */
export function InvitationAlerts({ invitations }: InvitationAlertsProps) {
  return (
    <div className="flex flex-col gap-3 px-4 pt-4 sm:px-6">
      {invitations.map(({ id, role, partner }) => (
        <Alert key={id}>
          <Mail aria-hidden="true" />
          <AlertTitle className="tracking-normal">{partner.name} invites you</AlertTitle>
          <AlertDescription className="text-foreground">
            <p>You get the role {role}. Its admins see your name and your last sign-in after you accept.</p>
            <InvitationAnswer invitationId={id} partner={partner.name} />
          </AlertDescription>
        </Alert>
      ))}
    </div>
  );
}
