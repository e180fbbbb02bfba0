import "server-only";
import type { Sql } from "@/lib/platform/database/db";

/** Ends all sessions of a user and their event streams on every instance. Returns the number of sessions ended. */
export async function endSessions(tx: Sql, userId: string): Promise<number> {
  const ended = await tx.query({
    name: "end-sessions",
    text: "delete from sessions where user_id = $1 returning 1",
    values: [userId],
  });
  tx.wake("sessions");
  return ended.length;
}

/**
 * Ends a person's sessions in one partner, which is all that the partner's admins can end. A person of this partner alone
 * is signed out. Sessions of an operator, and of a person who belongs to another partner too, stay and open this partner's
 * accounts only after a new sign-in. Returns the number of sessions that the person had.
 */
export async function endSessionsInPartner(tx: Sql, partnerId: string, userId: string): Promise<number> {
  const [person] = await tx.query<{ is_others_too: boolean; sessions: number }>({
    name: "sessions-of-person",
    text: `select u.is_operator or exists (
               select from memberships m where m.user_id = u.id and m.partner_id <> $1) as is_others_too,
             (select count(*)::int from sessions s where s.user_id = u.id) as sessions
           from users u where u.id = $2`,
    values: [partnerId, userId],
  });
  if (person?.is_others_too !== true) return endSessions(tx, userId);
  await tx.query({
    name: "end-sessions-in-partner",
    text: "update memberships set sessions_ended_at = now() where partner_id = $1 and user_id = $2",
    values: [partnerId, userId],
  });
  tx.wake("sessions");
  return person.sessions;
}

/** Ends one session of a user and its event streams on every instance. Returns whether the session existed. */
export async function endSession(tx: Sql, userId: string, sessionId: string): Promise<boolean> {
  const ended = await tx.query({
    name: "end-session",
    text: "delete from sessions where id = $2 and user_id = $1 returning 1",
    values: [userId, sessionId],
  });
  tx.wake("sessions");
  return ended.length > 0;
}
