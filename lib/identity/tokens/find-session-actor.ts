import "server-only";
import { missingProof } from "@/lib/identity/sessions/missing-proof";
import { PROOF_MINUTES } from "@/lib/identity/sessions/proof-rule";
import { isLiveSession, sessionLimits } from "@/lib/identity/sessions/session-limits";
import type { Role, UserActor } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

interface SessionToken {
  tokenId: string;
  accountId: string;
  sessionId: string;
  /** The user's role when the token was created: another role ends the token. */
  role: Role | null;
}

const PERSON_OF_SESSION = `from sessions s join users u on u.id = s.user_id join memberships m on m.user_id = u.id
  join partners p on p.id = m.partner_id join accounts a on a.partner_id = p.id`;

const OPENS_ACCOUNT = `${isLiveSession("s")}
    and (${missingProof({ session: "s", user: "u", member: "m", partner: "p" })}) is null`;

const ACTOR_OF_SESSION_TOKEN = statement(
  "actor-of-session-token",
  `select s.user_id, u.name, u.email, u.is_operator, s.method, m.role,
    s.proved_at > now() - interval '${PROOF_MINUTES} minutes' as has_fresh_proof
  ${PERSON_OF_SESSION} where s.id = :sessionId and a.id = :accountId and m.role::text = :role
    and ${OPENS_ACCOUNT}`,
);

/**
 * The user behind a token of the API explorer, with the user's current rights and proof of identity, as a request with
 * the session's cookie has them. null when the session has ended or can't open the account, and when the user's role has
 * changed.
 */
export async function findSessionActor({
  tokenId,
  accountId,
  sessionId,
  role,
}: SessionToken): Promise<UserActor | null> {
  const [row] = await sql.run(ACTOR_OF_SESSION_TOKEN, { sessionId, accountId, role, ...sessionLimits() });
  if (row === undefined) return null;
  return {
    type: "user",
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    isOperator: row.is_operator,
    sessionId,
    hasFreshProof: row.has_fresh_proof === true,
    hasPasswordOnly: row.method === "password",
    tokenId,
  };
}

/**
 * SQL for "the token `row` of a program, or of a session for which `findSessionActor` finds a user". Takes the
 * parameters that `sessionLimits()` returns.
 */
export function hasLiveSession(row: string): string {
  return `(${row}.session_id is null or exists (select ${PERSON_OF_SESSION}
    where s.id = ${row}.session_id and a.id = ${row}.account_id and m.role = ${row}.role
      and ${OPENS_ACCOUNT}))`;
}
