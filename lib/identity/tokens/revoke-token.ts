import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { withdrawNotices } from "@/lib/identity/notices/record-notice";
import { apiTokenRef } from "@/lib/identity/tokens/api-token";
import { EXPIRY_NOTICES } from "@/lib/identity/tokens/expire-tokens";
import { requireOwnToken } from "@/lib/identity/tokens/lock-token";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

export const RevokeToken = contract({
  summary: "Revoke an API token",
  tag: "Tokens",
  right: "manage_tokens",
  proof: true,
  params: z.object({ tokenId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

/**
 * Revokes a token. Every instance rejects its next request. Revoking again changes nothing. Errors: access_denied
 * (another account's token), name_unknown.
 */
export async function revokeToken(
  ctx: Context,
  { params }: Pick<Input<typeof RevokeToken>, "params">,
): Promise<undefined> {
  const revoked = await transaction((tx) => revoke(tx, ctx, params.tokenId));
  if (!revoked) await requireOwnToken(ctx, params.tokenId);
}

const REVOKE_TOKEN = plannedStatement(
  "revoke-token",
  `update api_tokens set revoked_at = :now
  where account_id = :accountId and id = :tokenId and revoked_at is null and session_id is null
  returning id, name, prefix, expires_at`,
);

/**
 * Revokes a token of the account in the caller's transaction. Returns false when the token does not exist or was
 * already revoked.
 */
export async function revoke(tx: Sql, ctx: Context, tokenId: string): Promise<boolean> {
  const [row] = await tx.run(REVOKE_TOKEN, { accountId: ctx.account.id, tokenId, now: ctx.now });
  if (row === undefined) return false;
  await recordAudit(tx, ctx, "api_token.revoked", "api_token", tokenId, {
    name: row.name,
    prefix: row.prefix,
  });
  await emitAccountEvent(tx, requestChange(ctx), TOKEN_EVENTS["api_token.deleted"], {
    api_token: apiTokenRef(row),
  });
  await withdrawNotices(tx, {
    accountId: ctx.account.id,
    objectId: tokenId,
    kinds: EXPIRY_NOTICES,
    at: ctx.now,
  });
  return true;
}
