import "server-only";
import { z } from "zod";
import { sessionLimits } from "@/lib/identity/sessions/session-limits";
import { SessionNotice } from "@/lib/identity/sessions/session-notice";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const GetSession = contract({
  summary: "Get the session of this browser",
  tag: "Session",
  right: "signed_in",
  returns: z.object({
    id: z.uuid(),
    /** password, oidc or passkey. */
    method: z.string(),
    /** Whether the user can confirm who they are with a password, and with a passkey. */
    has_password: z.boolean(),
    has_passkey: z.boolean(),
    has_fresh_proof: z.boolean(),
    /** The latest possible end; an idle session ends earlier. */
    expires_at: z.iso.datetime(),
    /** A change of the user's credentials from another session, until it is dismissed here. */
    notice: SessionNotice.nullable(),
  }),
  status: 200,
  errors: ["unauthorized"],
  extension: true,
});

const GET_SESSION = statement(
  "get-session",
  `select s.method, s.notice, u.password_hash is not null as has_password,
    exists (select from user_passkeys where user_id = u.id) as has_passkey,
    s.created_at + make_interval(hours => :hours::int) as "expires_at!"
  from sessions s join users u on u.id = s.user_id where s.id = :sessionId`,
);

/**
 * Returns the caller's session. The request counts as use, which is how an open page keeps its session alive. Errors:
 * unauthorized.
 */
export async function getSession({ actor }: Context): Promise<z.infer<typeof GetSession.returns>> {
  if (actor.type !== "user" || actor.sessionId === undefined) fail("unauthorized");
  const [row] = await sql.run(GET_SESSION, { sessionId: actor.sessionId, hours: sessionLimits().hours });
  if (row === undefined) fail("unauthorized", "the session has expired: sign in again");
  return {
    id: actor.sessionId,
    method: row.method,
    has_password: row.has_password,
    has_passkey: row.has_passkey,
    has_fresh_proof: actor.hasFreshProof === true,
    expires_at: row.expires_at.toISOString(),
    notice: row.notice,
  };
}
