import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record-audit";
import { deedOf, emitAccountEvent } from "@/lib/events/emit-account-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { requireRight } from "@/lib/users/role-rights";

export const RevokeToken = contract({
  summary: "Revoke an API token",
  tag: "Tokens",
  params: z.object({ tokenId: z.uuid() }),
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

/**
 * Revokes a token: from its next request on it is refused on every instance. Revoking again changes nothing. Errors:
 * access_denied (another account's token, or a role without the right), name_unknown.
 */
export async function revokeToken(
  ctx: Context,
  { params }: Pick<Input<typeof RevokeToken>, "params">,
): Promise<undefined> {
  requireRight(ctx, "manage_tokens");

  const revoked = await transaction((tx) => revoke(tx, ctx, params.tokenId));
  if (!revoked) await failUnlessRevoked(ctx, params.tokenId);
}

async function revoke(tx: Sql, ctx: Context, tokenId: string): Promise<boolean> {
  const [row] = await tx.query<{ name: string; prefix: string }>({
    text: `update api_tokens set revoked_at = $3
           where account_id = $1 and id = $2 and revoked_at is null returning name, prefix`,
    values: [ctx.account.id, tokenId, ctx.now],
  });
  if (row === undefined) return false;
  await recordAudit(tx, ctx, "api_token.revoked", "api_token", tokenId, row);
  const api_token = { id: tokenId, token_prefix: row.prefix, name: row.name, expires_at: null };
  await emitAccountEvent(tx, deedOf(ctx), "api_token.deleted", { api_token });
  return true;
}

async function failUnlessRevoked(ctx: Context, tokenId: string): Promise<void> {
  const [row] = await sql.query<{ account_id: string }>({
    text: "select account_id from api_tokens where id = $1",
    values: [tokenId],
  });
  if (row === undefined) fail("name_unknown", "there is no such token");
  if (row.account_id !== ctx.account.id) fail("access_denied");
}
