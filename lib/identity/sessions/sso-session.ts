import "server-only";
import { type SealContext, seal } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Groups are read again this long after the last time. A job runs every minute, so a change takes at most 5 minutes. */
export const CHECK_MINUTES = 4;

/** The part of a sign-in that the identity provider knows. */
export interface SsoIdentity {
  /** The claims `sub` and `sid`. */
  subject: string;
  sid: string | null;
  refreshToken: string | null;
}

// Sealed again at each check, and so never under a key that was replaced for longer than CHECK_MINUTES.
export function refreshTokenContext(userId: string, sessionId: string): SealContext {
  return { purpose: "sso refresh token", row: { accountId: userId, id: sessionId } };
}

const INSERT_SSO_SESSION = statement(
  "insert-sso-session",
  `insert into sso_sessions (session_id, subject, sid, refresh_token, next_check_at)
  values (:sessionId, :subject, :sid, :sealed, case when :sealed::bytea is not null then now() + interval '${CHECK_MINUTES} minutes' end)`,
);

/** Stores the part of a new session that the identity provider knows. */
export async function insertSsoSession(
  tx: Sql,
  { sessionId, userId }: { sessionId: string; userId: string },
  { subject, sid, refreshToken }: SsoIdentity,
): Promise<void> {
  const sealed = refreshToken === null ? null : seal(refreshToken, refreshTokenContext(userId, sessionId));
  await tx.run(INSERT_SSO_SESSION, { sessionId, subject, sid, sealed });
}
