import "server-only";
import { type MissingProof, missingProof } from "@/lib/identity/sessions/missing-proof";
import type { SignInMethod } from "@/lib/identity/sessions/open-session";
import { PROOF_MINUTES } from "@/lib/identity/sessions/proof-rule";
import { isLiveSession, sessionLimits } from "@/lib/identity/sessions/session-limits";
import type { SessionNotice } from "@/lib/identity/sessions/session-notice";
import { readSessionToken, sessionCookie } from "@/lib/identity/sessions/session-token";
import type { Role } from "@/lib/platform/context";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { requestClient } from "@/lib/platform/http/request-client";

/** The account that the browser selected. It is checked against the user's memberships. */
export const ACCOUNT_COOKIE = "trunkline_account";

export interface SessionAccount {
  id: string;
  name: string;
  type: "sandbox" | "production";
  /** ISO 8601; null = never. */
  expiresAt: string | null;
  /** ISO 8601; null = the account is not archived. */
  archivedAt: string | null;
  /** null = the color that follows from the id. */
  color: string | null;
  partner: { id: string; name: string };
  /** The user's role in the account's partner. */
  role: Role;
  /** The proof that the session lacks before it can open the account; null = none. */
  lacks: MissingProof | null;
}

export interface Session {
  id: string;
  user: SessionUser;
  method: SignInMethod;
  /** All accounts that the user may open, ordered by partner and age. */
  accounts: SessionAccount[];
  /** The selected account, by default the first that is not archived; null when the user may open none. */
  account: SessionAccount | null;
  /** Whether the user confirmed their identity within the last PROOF_MINUTES. */
  hasFreshProof: boolean;
  /** A change of the user's credentials from another session, until it is dismissed. */
  notice: SessionNotice | null;
}

interface SessionUser {
  id: string;
  name: string;
  email: string;
  isOperator: boolean;
  hasPassword: boolean;
  hasPasskey: boolean;
}

const FIND_SESSION = statement(
  "find-session",
  `select s.id, s.method, s.user_id, s.notice, u.name, u.email, u.is_operator,
    u.password_hash is not null as has_password,
    exists (select from user_passkeys where user_id = u.id) as has_passkey,
    s.proved_at > now() - interval '${PROOF_MINUTES} minutes' as has_fresh_proof,
    s.last_seen_at < now() - interval '1 minute' as is_unseen,
    coalesce((
      select jsonb_agg(jsonb_build_object(
          'id', a.id, 'name', a.name, 'type', a.type, 'expiresAt', a.expires_at, 'archivedAt', a.archived_at,
          'color', a.color, 'role', m.role,
          'lacks', ${missingProof({ session: "s", user: "u", member: "m", partner: "p" })},
          'partner', jsonb_build_object('id', p.id, 'name', p.name))
        order by m.created_at, p.id, a.created_at, a.id)
      from memberships m join partners p on p.id = m.partner_id join accounts a on a.partner_id = p.id
      where m.user_id = u.id), '[]') as "accounts: SessionAccount[]"
  from sessions s join users u on u.id = s.user_id
  where s.token_hash = :tokenHash and ${isLiveSession("s")}`,
);

/**
 * The session of a request's cookies; null when no user is signed in or the session has ended. One indexed statement;
 * at most once a minute, a second one records that the session is in use.
 */
export async function findSession(cookie: (name: string) => string | undefined): Promise<Session | null> {
  const secret = await readSessionToken(cookie(sessionCookie().name));
  if (secret === null) return null;

  const tokenHash = sha256(secret);
  const [row] = await sql.run(FIND_SESSION, { tokenHash, ...sessionLimits() });
  if (row === undefined) return null;
  if (row.is_unseen) await recordSessionUse(tokenHash);

  const { accounts } = row;
  const requested = cookie(ACCOUNT_COOKIE);
  const account =
    accounts.find(({ id }) => id === requested) ??
    accounts.find(({ archivedAt }) => archivedAt === null) ??
    accounts[0] ??
    null;
  const { id, method, notice } = row;
  return {
    id,
    method,
    user: toUser(row),
    accounts,
    account,
    hasFreshProof: row.has_fresh_proof === true,
    notice,
  };
}

function toUser(row: RowOf<"find-session">): SessionUser {
  return {
    id: row.user_id,
    name: row.name,
    email: row.email,
    isOperator: row.is_operator,
    hasPassword: row.has_password,
    hasPasskey: row.has_passkey,
  };
}

const NOTE_SESSION_USE = statement(
  "note-session-use",
  `update sessions set last_seen_at = now(), address = coalesce(:address, address)
  where token_hash = :tokenHash and last_seen_at < now() - interval '1 minute'`,
);

// Concurrent requests wait for one row lock. After the first, the others find the time already updated.
async function recordSessionUse(tokenHash: Buffer): Promise<void> {
  await sql.run(NOTE_SESSION_USE, { tokenHash, address: requestClient().address });
}
