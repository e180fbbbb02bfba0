import "server-only";
import type { Actor, UserActor } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

/** The person of the request and their session. Errors: access_denied for API tokens and the system. */
export function requireOwnSession(actor: Actor): UserActor & { sessionId: string } {
  if (actor.type !== "user" || actor.sessionId === undefined) {
    fail("access_denied", "sign in to the dashboard first");
  }
  return { ...actor, sessionId: actor.sessionId };
}

const SESSION_IS_LIVE = statement(
  "session-is-live",
  "select 1 from sessions where id = :sessionId and user_id = :userId",
);

/**
 * Fails when the session has ended since the request was authenticated, so that a request whose body came late adds no
 * credentials after the person's were replaced. Call it after `lockCredentials`. Errors: unauthorized.
 */
export async function requireLiveSession(
  tx: Sql,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const found = await tx.run(SESSION_IS_LIVE, { sessionId, userId });
  if (found.length === 0) fail("unauthorized", "sign in to the dashboard again");
}
