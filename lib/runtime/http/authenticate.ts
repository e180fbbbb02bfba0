import "server-only";
import { requireAddress } from "@/lib/identity/tokens/allowed-addresses";
import { isWellFormedToken } from "@/lib/identity/tokens/api-token";
import { findSessionActor } from "@/lib/identity/tokens/find-session-actor";
import { limitRequests } from "@/lib/identity/tokens/limit-requests";
import { recordRejectedToken } from "@/lib/identity/tokens/record-rejected-token";
import type { AccountRef, Actor } from "@/lib/platform/context";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { batched } from "@/lib/platform/database/batch";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { ApiError, fail } from "@/lib/platform/errors/errors";
import { requestClient } from "@/lib/platform/http/request-client";
import { now } from "@/lib/platform/time/clock";

/** The authenticated account and actor of a request. */
export interface Caller {
  account: AccountRef;
  actor: Actor;
}

type TokenRow = RowOf<"find-tokens">;

// Concurrent lookups share one statement that starts after their requests arrived, so a revoked token is rejected
// immediately.
const findToken = batched<Buffer, TokenRow | null>({
  runOne: async (hash) => (await selectTokens([hash]))[0] ?? null,
  runMany: async (hashes) => {
    const found = new Map((await selectTokens(hashes)).map((row) => [row.hash.toString("hex"), row]));
    return hashes.map((hash) => found.get(hash.toString("hex")) ?? null);
  },
  besideAfterMs: 1,
});

/** The operation with which a sandbox account changes its limits. */
const LIMITS_PATH = "/simulator/limits";

/** Called once the caller of a request is known, even when the request is rejected afterwards. */
export type OnCallerKnown = (caller: Caller) => void;

/** How a request counts against its token's limit of requests. */
interface Counting {
  /** A sandbox account that reached its limit of requests can still change the limit. */
  changesLimits?: boolean;
  /** The request was counted when it was authenticated before. */
  isRepeated?: boolean;
}

/** Like `callerOf`, for the Bearer token of a request (docs/contract.md, section 2.1). */
export async function authenticateToken(
  request: Request,
  recognised: OnCallerKnown,
  isRepeated = false,
): Promise<Caller> {
  const token = bearerToken(request.headers.get("authorization"));
  const advice = "send the header Authorization: Bearer <token>";
  return callerOf(token, advice, recognised, { changesLimits: isLimitsRequest(request.url), isRepeated });
}

/**
 * Returns the caller of a token. `advice` is the error text for requests without a token. A revoked token is rejected from
 * the next request on, on every instance. The caller of a token of the API explorer is its user. Errors: unauthorized (also for an
 * expired token), access_denied (archived or expired account, or an IP address that the token does not allow), rate_limited.
 */
export async function callerOf(
  token: string | null,
  advice: string,
  recognised: OnCallerKnown,
  { changesLimits = false, isRepeated = false }: Counting = {},
): Promise<Caller> {
  if (token === null) fail("unauthorized", advice);
  if (!isWellFormedToken(token)) {
    recordRejectedToken(token);
    fail("unauthorized", "this is not a Trunkline API token");
  }

  const row = await findToken(sha256(token));
  if (row === null) recordRejectedToken(token);
  if (row === null) fail("unauthorized", "the token is unknown or was revoked");
  const caller: Caller = {
    account: { id: row.account_id, partnerId: row.partner_id, type: row.type },
    actor: await actorOf(row),
  };
  recognised(caller);

  const at = now();
  if (row.token_expires_at !== null && row.token_expires_at <= at) {
    fail("unauthorized", `the token expired at ${row.token_expires_at.toISOString()}`);
  }
  requireAddress(row.allowed_addresses, requestClient().address);
  if (row.archived_at !== null) throw accountArchived(row.archived_at);
  if (row.expires_at !== null && row.expires_at <= at) throw accountExpired(row.expires_at);
  const counted = { accountId: row.account_id, tokenId: row.id, accountType: row.type };
  const isCounted = !isRepeated && !(changesLimits && row.type === "sandbox");
  if (isCounted) limitRequests(counted, row.requests_per_minute, at);

  return caller;
}

async function actorOf(row: TokenRow): Promise<Actor> {
  const { id, account_id, session_id, role, scopes, keeps_quiet_hours: keepsQuietHours } = row;
  if (session_id === null)
    return { type: "api", tokenId: id, ...(scopes.length > 0 && { scopes }), keepsQuietHours };
  const actor = await findSessionActor({ tokenId: id, accountId: account_id, sessionId: session_id, role });
  return actor ?? fail("unauthorized", "the session of this token has ended");
}

/** The error for tokens of an archived account, and for changes in it. */
export function accountArchived(at: Date): ApiError {
  const detail = `this account was archived at ${at.toISOString()}: ask an admin to restore it`;
  return new ApiError("access_denied", detail);
}

/** The error for tokens of an expired account. */
export function accountExpired(at: Date): ApiError {
  const detail = `this account expired at ${at.toISOString()}: ask your operator to extend it`;
  return new ApiError("access_denied", detail);
}

// Without a query, or any request could end with this path.
function isLimitsRequest(url: string): boolean {
  return url.endsWith(LIMITS_PATH) && !url.includes("?");
}

function bearerToken(header: string | null): string | null {
  const match = header === null ? null : /^Bearer +(\S+) *$/i.exec(header);
  return match?.[1] ?? null;
}

const FIND_TOKENS = statement(
  "find-tokens",
  `select t.hash, t.id, t.account_id, a.partner_id, a.type, a.expires_at, a.archived_at,
    a.requests_per_minute, a.quiet_hours is not null as "keeps_quiet_hours!",
    t.expires_at as token_expires_at, t.scopes, t.allowed_addresses, t.session_id, t.role
  from api_tokens t join accounts a on a.id = t.account_id
  where t.hash = any(:hashes::bytea[]) and t.revoked_at is null`,
);

function selectTokens(hashes: Buffer[]): Promise<TokenRow[]> {
  return sql.run(FIND_TOKENS, { hashes });
}
