import "server-only";
import { z } from "zod";
import { emitAccountEvent } from "@/lib/events/store/emit-account-event";
import { endSession, endSessions } from "@/lib/identity/sessions/end-sessions";
import { memberChange } from "@/lib/identity/users/member-change";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

export const EndOwnSession = contract({
  summary: "End one of your sessions",
  tag: "Session",
  right: "signed_in",
  params: z.object({ sessionId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
  extension: true,
});

export const EndOwnSessions = contract({
  summary: "Sign out everywhere",
  tag: "Session",
  right: "signed_in",
  status: 204,
  errors: ["access_denied"],
  extension: true,
});

/** Ends one of the caller's sessions. Errors: access_denied, name_unknown (also for another user's session). */
export async function endOwnSession(
  { actor, traceId }: Context,
  { params }: Pick<Input<typeof EndOwnSession>, "params">,
): Promise<undefined> {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  await transaction(async (tx) => {
    if (!(await endSession(tx, actor.userId, params.sessionId)))
      fail("name_unknown", "the session has expired: sign in again");
    const detail = { session: params.sessionId };
    await recordUserAudit(tx, actor.userId, "user.session_ended", { traceId, detail });
  });
}

/**
 * Ends all of the caller's sessions, including this one, and notifies the accounts of the caller's partners. Errors:
 * access_denied.
 */
export async function endOwnSessions({ actor, traceId }: Context): Promise<undefined> {
  if (actor.type !== "user") fail("access_denied", "sign in to the dashboard first");
  const { userId: id, name, email } = actor;
  await transaction(async (tx) => {
    const count = await endSessions(tx, id);
    await recordUserAudit(tx, id, "user.sessions_ended", { traceId, detail: { count } });
    const change = { ...(await memberChange(tx, { id, name, email })), traceId };
    await emitAccountEvent(tx, change, TEAM_MEMBER_EVENTS["team_member.signed_out"], {
      team_member: { id, name },
    });
  });
}
