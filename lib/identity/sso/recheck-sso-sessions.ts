import "server-only";
import type { TokenSet } from "openid-client";
import { endSession } from "@/lib/identity/sessions/end-sessions";
import { CHECK_MINUTES, refreshTokenContext } from "@/lib/identity/sessions/sso-session";
import { singleSignOnName } from "@/lib/identity/sign-in/single-sign-on-name";
import { oidcProvider } from "@/lib/identity/sso/oidc-client";
import { AT_REFRESH, AT_REFRESH_WITHOUT_ID_TOKEN, readGroups } from "@/lib/identity/sso/read-groups";
import { syncGroups } from "@/lib/identity/sso/sync-groups";
import { recordUserAudit } from "@/lib/identity/users/record-user-audit";
import { seal, UnreadableSecret, unseal } from "@/lib/platform/crypto/crypto";
import { sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { log } from "@/lib/platform/telemetry/log";

const BATCH_ROWS = 20;
const RETRY_MINUTES = 1;
/** Errors of RFC 6749 5.2 and OpenID Connect Core 3.1.2.6 that are about the person, and not about the client. */
const REFUSALS = [
  "invalid_grant",
  "access_denied",
  "interaction_required",
  "login_required",
  "consent_required",
];

type DueSession = RowOf<"claim-sso-sessions">;

/**
 * Asks the identity provider again about the people of sessions by single sign-on: refreshes their tokens and applies
 * their groups, where the provider names them. A session ends when the provider refuses its refresh token, and with the
 * person's last group. While the provider does not respond, sessions stay and are checked again after a minute. Returns the
 * number of checked sessions.
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

const CLAIM_SSO_SESSIONS = statement(
  "claim-sso-sessions",
  `with due as (
    select session_id from sso_sessions where next_check_at <= now()
    order by next_check_at limit ${BATCH_ROWS} for update skip locked)
  update sso_sessions o set next_check_at = now() + interval '${CHECK_MINUTES} minutes'
  from due, sessions s, users u
  where o.session_id = due.session_id and s.id = o.session_id and u.id = s.user_id
  returning o.session_id, o.refresh_token as "refresh_token!", o.subject, u.id as user_id, u.email, u.name`,
);

// Moving the time claims a session: another process skips it, and a process that dies is followed by the next check.
function claimDue(): Promise<DueSession[]> {
  return sql.run(CLAIM_SSO_SESSIONS);
}

async function recheck(session: DueSession): Promise<void> {
  try {
    const tokens = await refresh(session);
    // Before anything else can fail, because the provider takes the token before only once.
    if (tokens.refresh_token !== undefined) await storeToken(session, tokens.refresh_token);
    await validateIdToken(tokens);
    const claims = tokens.id_token === undefined ? { sub: session.subject } : tokens.claims();
    if (claims.sub !== session.subject) return endChecked(session);
    const without = tokens.id_token === undefined ? AT_REFRESH_WITHOUT_ID_TOKEN : AT_REFRESH;
    const groups = await readGroups(claims, tokens.access_token, without);
    const { user_id: id, email, name } = session;
    await transaction((tx) => syncGroups(tx, { id, email, name }, groups));
  } catch (error) {
    if (error instanceof Refused) return endChecked(session);
    log.warn({ err: error }, "the identity provider could not be asked about a session");
    await retryLater(session);
  }
}

/** The provider says that this person's session is over. */
class Refused extends Error {}

// Only a refused refresh is the provider's word on the session. A refusal of the client, too many requests, and a refusal of
// the user information say nothing about it. A token that can't be decrypted can't be checked, which ends the session too.
// `client.refresh` would also validate the ID token, and lose the rotated refresh token when that fails.
async function refresh({ refresh_token, user_id, session_id }: DueSession): Promise<TokenSet> {
  const { client } = await oidcProvider();
  const { errors } = await import("openid-client");
  try {
    const token = unseal(refresh_token, refreshTokenContext(user_id, session_id));
    return await client.grant({ grant_type: "refresh_token", refresh_token: token });
  } catch (error) {
    const isRefused = error instanceof errors.OPError && REFUSALS.includes(error.error ?? "");
    if (isRefused || error instanceof UnreadableSecret) throw new Refused("", { cause: error });
    throw error;
  }
}

/** The methods that `client.refresh` calls, which the types of openid-client 5 leave out. */
interface IdTokenValidator {
  decryptIdToken(tokens: TokenSet): Promise<TokenSet>;
  validateIdToken(tokens: TokenSet, nonce: unknown, returnedBy: "token", maxAge: null): Promise<TokenSet>;
}

// As in `client.refresh`: a refreshed ID token repeats the nonce of the sign-on, or has none.
async function validateIdToken(tokens: TokenSet): Promise<void> {
  if (tokens.id_token === undefined) return;
  const validator = (await oidcProvider()).client as unknown as IdTokenValidator;
  await validator.decryptIdToken(tokens);
  await validator.validateIdToken(tokens, tokens.claims().nonce, "token", null);
}

const STORE_REFRESH_TOKEN = statement(
  "store-refresh-token",
  "update sso_sessions set refresh_token = :seal where session_id = :sessionId",
);

// A provider that does not rotate refresh tokens returns none, and the present one stays valid.
async function storeToken({ session_id, user_id }: DueSession, token: string): Promise<void> {
  await sql.run(STORE_REFRESH_TOKEN, {
    sessionId: session_id,
    seal: seal(token, refreshTokenContext(user_id, session_id)),
  });
}

async function endChecked({ session_id, user_id }: DueSession): Promise<void> {
  await transaction(async (tx) => {
    if (!(await endSession(tx, user_id, session_id))) return;
    const detail = { session: session_id, reason: "identity_provider" };
    await recordUserAudit(tx, user_id, "user.session_ended", { actorType: "system", detail });
  });
}

const RETRY_SSO_CHECK = statement(
  "retry-sso-check",
  `update sso_sessions set next_check_at = now() + interval '${RETRY_MINUTES} minutes' where session_id = :sessionId`,
);

async function retryLater({ session_id }: DueSession): Promise<void> {
  await sql.run(RETRY_SSO_CHECK, { sessionId: session_id });
}
