import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record-audit";
import { deedOf, emitAccountEvent } from "@/lib/events/emit-account-event";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/db";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/max-units";
import { ApiToken, generateToken } from "@/lib/tokens/api-token";
import { requireFreshProof } from "@/lib/users/require-fresh-proof";
import { requireRight } from "@/lib/users/role-rights";

export const CreateToken = contract({
  summary: "Generate an API token",
  tag: "Tokens",
  body: z.object({ name: z.string().trim().min(1, "give the token a name").check(maxUnits(80)) }),
  returns: z.object({ token: z.string(), api_token: ApiToken }),
  status: 201,
  errors: ["access_denied", "field_missing"],
});

/** Generates a token of the account. `token` is answered here and never again. Errors: access_denied. */
export async function createToken(ctx: Context, { name }: { name: string }) {
  requireRight(ctx, "manage_tokens");
  requireFreshProof(ctx);

  const { token, hash, prefix, lastFour } = generateToken(ctx.account.type);
  const id = newId(ctx.now.getTime());
  const createdBy = ctx.actor.type === "user" ? ctx.actor.userId : null;
  await transaction(async (tx) => {
    await tx.query({
      text: `insert into api_tokens (account_id, id, name, hash, prefix, last_four, created_by, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [ctx.account.id, id, name, hash, prefix, lastFour, createdBy, ctx.now],
    });
    await recordAudit(tx, ctx, "api_token.created", "api_token", id, { name, prefix });
    const api_token = { id, token_prefix: prefix, name, expires_at: null };
    await emitAccountEvent(tx, deedOf(ctx), "api_token.created", { api_token });
  });

  const apiToken = {
    id,
    name,
    prefix,
    last_four: lastFour,
    created_at: ctx.now.toISOString(),
    created_by: ctx.actor.type === "user" ? ctx.actor.name : null,
    last_used_at: null,
    revoked_at: null,
  };
  return { token, api_token: apiToken };
}
