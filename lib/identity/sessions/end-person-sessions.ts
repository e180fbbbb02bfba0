import "server-only";
import { z } from "zod";
import { endSessionsInPartner } from "@/lib/identity/sessions/end-sessions";
import { getMembership } from "@/lib/identity/users/membership";
import { partnerChangeOf, recordMemberAudit } from "@/lib/identity/users/partner-change";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const EndPersonSessions = contract({
  summary: "Sign a person out",
  tag: "People",
  right: "manage_people",
  params: z.object({ userId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown", "state_conflict"],
  extension: true,
});

/** Ends the sessions of a person in the account's partner. Errors: name_unknown, state_conflict for an invited person. */
export async function endPersonSessions(
  ctx: Context,
  { params }: Pick<Input<typeof EndPersonSessions>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const change = partnerChangeOf(ctx);
    await getMembership(tx, change.partnerId, params.userId);
    const count = await endSessionsInPartner(tx, change.partnerId, params.userId);
    await recordMemberAudit(tx, change, params.userId, "user.sessions_ended", { count });
  });
}
