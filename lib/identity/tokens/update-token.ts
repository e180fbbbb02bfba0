import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { withdrawNotices } from "@/lib/identity/notices/record-notice";
import { ApiToken, apiTokenRef, type TokenRow, toApiToken } from "@/lib/identity/tokens/api-token";
import { EXPIRY_NOTICES } from "@/lib/identity/tokens/expire-tokens";
import { lockToken } from "@/lib/identity/tokens/lock-token";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import { expiryAt, tokenFields } from "@/lib/identity/tokens/token-fields";
import { requireTokenCreator } from "@/lib/identity/tokens/token-right";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const UpdateToken = contract({
  summary: "Change an API token",
  tag: "Tokens",
  right: "manage_tokens",
  proof: true,
  params: z.object({ tokenId: z.uuid() }),
  body: z.object(tokenFields).partial(),
  returns: ApiToken,
  status: 200,
  errors: ["access_denied", "name_unknown", "parameter_invalid", "state_conflict"],
});

/**
 * Changes the name, expiry (counted from now), scopes or IP addresses of a valid token, effective with its next
 * request. Errors: access_denied, proof_required, name_unknown, state_conflict (revoked or expired).
 */
export async function updateToken(
  ctx: Context,
  { params, body }: Pick<Input<typeof UpdateToken>, "params" | "body">,
): Promise<ApiToken> {
  await requireTokenCreator(ctx);

  return transaction(async (tx) => {
    const before = await lockToken(tx, ctx, params.tokenId);
    const after: TokenRow = {
      ...before,
      name: body.name ?? before.name,
      expires_at:
        body.expires_in_days === undefined ? before.expires_at : expiryAt(ctx.now, body.expires_in_days),
      scopes: body.scopes ?? before.scopes,
      allowed_addresses: body.allowed_addresses ?? before.allowed_addresses,
    };
    await store(tx, ctx, after);
    await report(tx, ctx, before, after);
    return toApiToken(after, ctx.now);
  });
}

const UPDATE_TOKEN = plannedStatement(
  "update-token",
  `update api_tokens set name = :name, scopes = :scopes, allowed_addresses = :allowedAddresses, expires_at = :expiresAt,
    expiry_notice_days = case when expires_at is not distinct from :expiresAt then expiry_notice_days end
  where account_id = :accountId and id = :id`,
);

async function store(tx: Sql, ctx: Context, after: TokenRow): Promise<void> {
  const { id, name, expires_at, scopes, allowed_addresses } = after;
  await tx.run(UPDATE_TOKEN, {
    accountId: ctx.account.id,
    id,
    name,
    expiresAt: expires_at,
    scopes,
    allowedAddresses: allowed_addresses,
  });
}

async function report(tx: Sql, ctx: Context, before: TokenRow, after: TokenRow): Promise<void> {
  const from = chosen(before);
  const to = chosen(after);
  await recordAudit(tx, ctx, "api_token.updated", "api_token", after.id, { from, to });
  const changeContext = requestChange(ctx);
  const api_token = apiTokenRef(after);
  if (from.name !== to.name) {
    const change = { from: from.name, to: to.name };
    await emitAccountEvent(tx, changeContext, TOKEN_EVENTS["api_token.renamed"], { api_token, change });
  }
  if (from.expires_at === to.expires_at) return;
  const about = { accountId: ctx.account.id, objectId: after.id, kinds: EXPIRY_NOTICES, at: ctx.now };
  await withdrawNotices(tx, about);
  if (to.expires_at === null)
    return emitAccountEvent(tx, changeContext, TOKEN_EVENTS["api_token.activated"], { api_token });
  const change = { from: from.expires_at, to: to.expires_at };
  await emitAccountEvent(tx, changeContext, TOKEN_EVENTS["api_token.expiry_scheduled"], {
    api_token,
    change,
  });
}

function chosen({ name, expires_at, scopes, allowed_addresses }: TokenRow) {
  return { name, expires_at: expires_at?.toISOString() ?? null, scopes, allowed_addresses };
}
