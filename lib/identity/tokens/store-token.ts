import "server-only";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { type ApiToken, apiTokenRef, generateToken, toApiToken } from "@/lib/identity/tokens/api-token";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import type { Context, Role } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { newId } from "@/lib/platform/ids";

/** The permissions and the expiry of a token. */
export interface TokenLimits {
  /** null = never. */
  expiresAt: Date | null;
  /** Empty = everything. */
  scopes: ApiToken["scopes"];
  /** CIDRs; empty = anywhere. */
  allowedAddresses: string[];
  /** Of a token of the API explorer: the session that it ends with, and the role whose rights limit it. */
  session?: { id: string; role: Role };
}

const STORE_TOKEN = plannedStatement(
  "store-token",
  `insert into api_tokens (account_id, id, name, hash, prefix, last_four, created_by, created_at, expires_at,
    scopes, allowed_addresses, session_id, role)
  values (:accountId, :id, :name, :hash, :prefix, :lastFour, :createdBy, :now, :expiresAt, :scopes, :allowedAddresses, :sessionId, :role::role)`,
);

/**
 * Stores a new token with its audit entry and event. The token's text is returned only here. Tokens of the API explorer
 * have no event: partners follow the tokens of their programs.
 */
export async function storeToken(
  tx: Sql,
  ctx: Context,
  name: string,
  { expiresAt, scopes, allowedAddresses, session }: TokenLimits,
): Promise<{ token: string; api_token: ApiToken }> {
  const { token, hash, prefix, lastFour } = generateToken(ctx.account.type);
  const id = newId(ctx.now.getTime(), ctx.account.id, "token");
  const createdBy = ctx.actor.type === "user" ? ctx.actor.userId : null;
  await tx.run(STORE_TOKEN, {
    accountId: ctx.account.id,
    id,
    name,
    hash,
    prefix,
    lastFour,
    createdBy,
    now: ctx.now,
    expiresAt,
    scopes,
    allowedAddresses,
    sessionId: session?.id ?? null,
    role: session?.role ?? null,
  });
  const row = {
    id,
    name,
    prefix,
    last_four: lastFour,
    created_at: ctx.now,
    created_by: ctx.actor.type === "user" ? ctx.actor.name : null,
    last_used_at: null,
    last_used_from: null,
    revoked_at: null,
    expires_at: expiresAt,
    scopes,
    allowed_addresses: allowedAddresses,
  };
  const detail = {
    name,
    prefix,
    ...(expiresAt !== null && { expires_at: expiresAt.toISOString() }),
    ...(scopes.length > 0 && { scopes }),
    ...(allowedAddresses.length > 0 && { allowed_addresses: allowedAddresses }),
    ...(session && { session_id: session.id, role: session.role }),
  };
  await recordAudit(tx, ctx, "api_token.created", "api_token", id, detail);
  if (session) return { token, api_token: toApiToken(row, ctx.now) };
  await emitAccountEvent(tx, requestChange(ctx), TOKEN_EVENTS["api_token.created"], {
    api_token: apiTokenRef(row),
  });
  return { token, api_token: toApiToken(row, ctx.now) };
}
