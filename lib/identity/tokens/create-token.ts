import "server-only";
import { z } from "zod";
import { ApiToken } from "@/lib/identity/tokens/api-token";
import { storeToken } from "@/lib/identity/tokens/store-token";
import { expiryAt, tokenFields } from "@/lib/identity/tokens/token-fields";
import { requireTokenCreator } from "@/lib/identity/tokens/token-right";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const CreateToken = contract({
  summary: "Create an API token",
  tag: "Tokens",
  right: "manage_tokens",
  proof: true,
  body: z.object({
    name: tokenFields.name,
    expires_in_days: tokenFields.expires_in_days.default(null),
    scopes: tokenFields.scopes.default([]),
    allowed_addresses: tokenFields.allowed_addresses.default([]),
  }),
  returns: z.object({ token: z.string(), api_token: ApiToken }),
  status: 201,
  errors: ["access_denied", "field_missing", "parameter_invalid"],
});

type NewToken = Pick<z.output<typeof CreateToken.body>, "name"> & Partial<z.output<typeof CreateToken.body>>;

/**
 * Creates a token for the account; without scopes it has full access. `token` is returned only here. Errors:
 * access_denied, proof_required.
 */
export async function createToken(
  ctx: Context,
  { name, expires_in_days = null, scopes = [], allowed_addresses = [] }: NewToken,
) {
  await requireTokenCreator(ctx);

  const limits = {
    expiresAt: expiryAt(ctx.now, expires_in_days),
    scopes,
    allowedAddresses: allowed_addresses,
  };
  return transaction((tx) => storeToken(tx, ctx, name, limits));
}
