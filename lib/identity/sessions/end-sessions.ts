import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const END_SESSIONS = statement("end-sessions", "delete from sessions where user_id = :userId returning 1");

/** Ends all sessions of a user and their event streams on every instance. Returns the number of sessions ended. */
export async function endSessions(tx: Sql, userId: string): Promise<number> {
  const ended = await tx.run(END_SESSIONS, { userId });
  tx.wake("sessions");
  return ended.length;
}

const SESSIONS_OF_PERSON = statement(
  "sessions-of-person",
  `select u.is_operator or exists (
      select from memberships m where m.user_id = u.id and m.partner_id <> :partnerId) as is_others_too,
    (select count(*)::int from sessions s where s.user_id = u.id) as sessions
  from users u where u.id = :userId`,
);

const END_SESSIONS_IN_PARTNER = statement(
  "end-sessions-in-partner",
  "update memberships set sessions_ended_at = now() where partner_id = :partnerId and user_id = :userId",
);

/**
 * Ends a person's sessions in one partner, which is all that the partner's admins can end. A person of this partner alone
 * is signed out. Sessions of an operator, and of a person who belongs to another partner too, stay and open this partner's
 * accounts only after a new sign-in. Returns the number of sessions that the person had.
 */
export async function endSessionsInPartner(tx: Sql, partnerId: string, userId: string): Promise<number> {
  const [person] = await tx.run(SESSIONS_OF_PERSON, { partnerId, userId });
  if (person?.is_others_too !== true) return endSessions(tx, userId);
  await tx.run(END_SESSIONS_IN_PARTNER, { partnerId, userId });
  tx.wake("sessions");
  return person.sessions;
}

const END_SESSION = statement(
  "end-session",
  "delete from sessions where id = :sessionId and user_id = :userId returning 1",
);

/** Ends one session of a user and its event streams on every instance. Returns whether the session existed. */
export async function endSession(tx: Sql, userId: string, sessionId: string): Promise<boolean> {
  const ended = await tx.run(END_SESSION, { userId, sessionId });
  tx.wake("sessions");
  return ended.length > 0;
}
