import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { ApiToken, apiTokenRef } from "@/lib/identity/tokens/api-token";
import { lockToken } from "@/lib/identity/tokens/lock-token";
import { revoke } from "@/lib/identity/tokens/revoke-token";
import { storeToken } from "@/lib/identity/tokens/store-token";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import { requireTokenCreator } from "@/lib/identity/tokens/token-right";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 30 * 24;

export const RollToken = contract({
  summary: "Replace an API token",
  tag: "Tokens",
  right: "manage_tokens",
  proof: true,
  params: z.object({ tokenId: z.uuid() }),
  body: z.object({
    /** Hours that the old token stays valid beside the new one; 0 = it is revoked immediately. */
    overlap_hours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24),
  }),
  returns: z.object({
    token: z.string(),
    api_token: ApiToken,
    /** null = the old token is revoked. */
    previous_valid_until: z.iso.datetime().nullable(),
  }),
  status: 201,
  errors: ["access_denied", "name_unknown", "parameter_invalid", "state_conflict"],
});

const ROLL_TOKEN = plannedStatement(
  "roll-token",
  `update api_tokens set expires_at = :until, expiry_notice_days = 0 where account_id = :accountId and id = :oldId`,
);

/**
 * Replaces a token with a new one with the same name, scopes, addresses and lifetime. The old one stays valid for the
 * overlap, but never beyond its own expiry. Errors: access_denied, proof_required, name_unknown, state_conflict
 * (revoked or expired).
 */
export async function rollToken(
  ctx: Context,
  { params, body }: Pick<Input<typeof RollToken>, "params" | "body">,
): Promise<z.infer<typeof RollToken.returns>> {
  await requireTokenCreator(ctx);

  return transaction(async (tx) => {
    const old = await lockToken(tx, ctx, params.tokenId);
    const lifetime = old.expires_at === null ? null : old.expires_at.getTime() - old.created_at.getTime();
    const created = await storeToken(tx, ctx, old.name, {
      expiresAt: lifetime === null ? null : new Date(ctx.now.getTime() + lifetime),
      scopes: old.scopes,
      allowedAddresses: old.allowed_addresses,
    });
    const detail = { overlap_hours: body.overlap_hours, replaced_by: created.api_token.id };
    await recordAudit(tx, ctx, "api_token.rolled", "api_token", old.id, detail);
    if (body.overlap_hours === 0) {
      await revoke(tx, ctx, old.id);
      return { ...created, previous_valid_until: null };
    }

    const overlapEnd = new Date(ctx.now.getTime() + body.overlap_hours * HOUR_MS);
    const until = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
    // Users chose this expiry, so they need no notice about it.
    await tx.run(ROLL_TOKEN, { accountId: ctx.account.id, oldId: old.id, until });
    await emitAccountEvent(tx, requestChange(ctx), TOKEN_EVENTS["api_token.expiry_scheduled"], {
      api_token: apiTokenRef({ ...old, expires_at: until }),
      change: { from: old.expires_at?.toISOString() ?? null, to: until.toISOString() },
    });
    return { ...created, previous_valid_until: until.toISOString() };
  });
}
