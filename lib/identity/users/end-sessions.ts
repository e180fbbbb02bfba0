import "server-only";
import type { Sql } from "@/lib/platform/db";

/** Ends every session of a user, with their event streams on every instance. Returns how many there were. */
export async function endSessions(tx: Sql, userId: string): Promise<number> {
  const ended = await tx.query({
    name: "end-sessions",
    text: "delete from sessions where user_id = $1 returning 1",
    values: [userId],
  });
  tx.wake("sessions");
  return ended.length;
}

/** Ends one session of a user, with its event streams on every instance. Whether it was there. */
export async function endSession(tx: Sql, userId: string, sessionId: string): Promise<boolean> {
  const ended = await tx.query({
    name: "end-session",
    text: "delete from sessions where id = $2 and user_id = $1 returning 1",
    values: [userId, sessionId],
  });
  tx.wake("sessions");
  return ended.length > 0;
}
