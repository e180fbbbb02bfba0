import "server-only";
import { emitAccountEvent } from "@/lib/events/emit-account-event";
import { transaction } from "@/lib/platform/db";
import { memberDeed } from "@/lib/users/member-deed";
import { recordUserAudit } from "@/lib/users/record-user-audit";

/** Notes that a user has signed out of a browser, and tells the accounts of the user's partners. */
export async function recordSignOut(user: { id: string; name: string; email: string }): Promise<void> {
  await transaction(async (tx) => {
    const deed = await memberDeed(tx, user);
    await recordUserAudit(tx, user.id, "user.signed_out", { traceId: deed.traceId });
    const team_member = { id: user.id, name: user.name };
    await emitAccountEvent(tx, deed, "team_member.signed_out", { team_member });
  });
}
