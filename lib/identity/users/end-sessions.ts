import "server-only";
import type { Sql } from "@/lib/platform/db";

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
