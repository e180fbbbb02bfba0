import "server-only";
import { z } from "zod";
import { storeToken } from "@/lib/identity/tokens/store-token";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

const LIFETIME_MINUTES = 15;
const NAME = "API explorer";

export const CreateSessionToken = contract({
  summary: "Create a token of the API explorer for the signed-in user",
  tag: "Tokens",
  right: "signed_in",
  returns: z.object({ token: z.string(), expires_at: z.iso.datetime() }),
  status: 201,
  errors: ["access_denied"],
});

/**
 * Creates a token for the requests of the API explorer. The token works for 15 minutes, can do what the user's role can
 * do in this account, and ends with the user's session. The audit trail records it. Errors: access_denied.
 */
export async function createSessionToken(ctx: Context): Promise<z.infer<typeof CreateSessionToken.returns>> {
  const { actor } = ctx;
  if (actor.type !== "user" || actor.sessionId === undefined) {
    fail("access_denied", "only a signed-in user can create a token of the API explorer");
  }
  const expiresAt = new Date(ctx.now.getTime() + LIFETIME_MINUTES * 60_000);
  const session = { id: actor.sessionId, role: actor.role };
  const { token } = await transaction((tx) =>
    storeToken(tx, ctx, NAME, { expiresAt, scopes: [], allowedAddresses: [], session }),
  );
  return { token, expires_at: expiresAt.toISOString() };
}
