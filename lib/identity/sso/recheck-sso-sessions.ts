import "server-only";
import type { TokenSet } from "openid-client";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { readGroups } from "@/lib/identity/sso/read-groups";
import { singleSignOnName } from "@/lib/identity/sso/single-sign-on-name";
import { CHECK_MINUTES, refreshTokenContext } from "@/lib/identity/sso/sso-session";
import { syncGroups } from "@/lib/identity/sso/sync-groups";
import { endSession } from "@/lib/identity/users/end-sessions";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { seal, UnreadableSecret, unseal } from "@/lib/platform/crypto";
import { sql, transaction } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";

const BATCH_ROWS = 20;
const RETRY_MINUTES = 1;
const UNAVAILABLE = ["temporarily_unavailable", "server_error"];

interface DueSession {
  session_id: string;
  refresh_token: Buffer;
  subject: string;
  user_id: string;
  email: string;
  name: string;
}

/**
 * Asks the identity provider again about the people of sessions by single sign-on: refreshes their tokens and applies
 * their groups. A session ends when the provider refuses its refresh token, and with the person's last group. While the
 * provider does not respond, sessions stay and are checked again after a minute. Returns the number of checked sessions.
 */
export async function recheckSsoSessions(stop: AbortSignal): Promise<number> {
  if (singleSignOnName() === null) return 0;
  let checked = 0;
  while (!stop.aborted) {
    const due = await claimDue();
    for (const session of due) await recheck(session);
    checked += due.length;
    if (due.length < BATCH_ROWS) break;
  }
  return checked;
}

// Moving the time claims a session: another process skips it, and a process that dies is followed by the next check.
function claimDue(): Promise<DueSession[]> {
  return sql.query<DueSession>({
    name: "claim-sso-sessions",
    text: `with due as (
             select session_id from sso_sessions where next_check_at <= now()
             order by next_check_at limit ${BATCH_ROWS} for update skip locked)
           update sso_sessions o set next_check_at = now() + interval '${CHECK_MINUTES} minutes'
           from due, sessions s, users u
           where o.session_id = due.session_id and s.id = o.session_id and u.id = s.user_id
           returning o.session_id, o.refresh_token, o.subject, u.id as user_id, u.email, u.name`,
  });
}

async function recheck(session: DueSession): Promise<void> {
  try {
    const tokens = await refresh(session);
    const claims = tokens.id_token === undefined ? { sub: session.subject } : tokens.claims();
    if (claims.sub !== session.subject) return endChecked(session);
    const groups = await readGroups(claims, tokens.access_token);
    await applyCheck(session, groups, tokens.refresh_token);
  } catch (error) {
    if (await isRefusal(error)) return endChecked(session);
    log.warn({ err: error }, "the identity provider could not be asked about a session");
    await retryLater(session);
  }
}

async function refresh({ refresh_token, user_id, session_id }: DueSession): Promise<TokenSet> {
  const { client } = await oidcProvider();
  return client.refresh(unseal(refresh_token, refreshTokenContext(user_id, session_id)));
}

/** Whether the provider refused the token. A token that can't be decrypted can't be checked and ends the session too. */
async function isRefusal(error: unknown): Promise<boolean> {
  if (error instanceof UnreadableSecret) return true;
  const { errors } = await import("openid-client");
  if (!(error instanceof errors.OPError)) return false;
  return !UNAVAILABLE.includes(error.error ?? "") && (error.response?.statusCode ?? 400) < 500;
}

// A provider that does not rotate refresh tokens returns none, and the present one stays valid.
async function applyCheck(
  { session_id, user_id, email, name, refresh_token }: DueSession,
  groups: readonly string[] | null,
  rotated: string | undefined,
): Promise<void> {
  const context = refreshTokenContext(user_id, session_id);
  const sealed = seal(rotated ?? unseal(refresh_token, context), context);
  await transaction(async (tx) => {
    await tx.query({
      name: "store-sso-check",
      text: "update sso_sessions set refresh_token = $2 where session_id = $1",
      values: [session_id, sealed],
    });
    await syncGroups(tx, { id: user_id, email, name }, groups);
  });
}

async function endChecked({ session_id, user_id }: DueSession): Promise<void> {
  await transaction(async (tx) => {
    if (!(await endSession(tx, user_id, session_id))) return;
    const detail = { session: session_id, reason: "identity_provider" };
    await recordUserAudit(tx, user_id, "user.session_ended", { actorType: "system", detail });
  });
}

async function retryLater({ session_id }: DueSession): Promise<void> {
  await sql.query({
    name: "retry-sso-check",
    text: `update sso_sessions set next_check_at = now() + interval '${RETRY_MINUTES} minutes' where session_id = $1`,
    values: [session_id],
  });
}
