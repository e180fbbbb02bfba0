import "server-only";
import type { Actor, UserActor } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors";

/** The person of the request and their session. Errors: access_denied for API tokens and the system. */
export function requireOwnSession(actor: Actor): UserActor & { sessionId: string } {
  if (actor.type !== "user" || actor.sessionId === undefined) {
    fail("access_denied", "sign in to the dashboard first");
  }
  return { ...actor, sessionId: actor.sessionId };
}
