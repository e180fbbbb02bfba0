import "server-only";
import { emitAccountEvent } from "@/lib/events/store/emit-account-event";
import { endSession } from "@/lib/identity/sessions/end-sessions";
import { memberChange } from "@/lib/identity/users/member-change";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import { transaction } from "@/lib/platform/database/db";

/** Ends a session because its user signed out, and notifies the accounts of the user's partners. */
export async function recordSignOut(
  sessionId: string,
  user: { id: string; name: string; email: string },
): Promise<void> {
  await transaction(async (tx) => {
    if (!(await endSession(tx, user.id, sessionId))) return;
    const change = await memberChange(tx, user);
    await recordUserAudit(tx, user.id, "user.signed_out", { traceId: change.traceId });
    const team_member = { id: user.id, name: user.name };
    await emitAccountEvent(tx, change, TEAM_MEMBER_EVENTS["team_member.signed_out"], { team_member });
  });
}
