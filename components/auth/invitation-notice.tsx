"use client";

import dynamic from "next/dynamic";
import type { InvitationAlertsProps } from "@/components/auth/invitation-alerts";
import { untilLoaded } from "@/components/data/until-loaded";

// Few users have an invitation.
const InvitationAlerts = dynamic(
  () => untilLoaded(async () => (await import("@/components/auth/invitation-alerts")).InvitationAlerts),
  { loading: () => null },
);

/** Shows the invitations that the user can accept. Renders nothing without any. */
export function InvitationNotice({ invitations }: InvitationAlertsProps) {
  return invitations.length === 0 ? null : <InvitationAlerts invitations={invitations} />;
}
