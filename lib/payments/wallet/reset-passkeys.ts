import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { HandleParams } from "@/lib/payments/connections/handle-connection";
import { removePasskeys } from "@/lib/payments/wallet/remove-passkeys";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";

export const ResetPasskeys = contract({
  summary: "Reset a customer's passkeys",
  tag: "Agent payments",
  right: "manage_spending",
  proof: true,
  params: HandleParams,
  returns: z.object({ handle: z.string(), removed: z.int() }),
  status: 200,
  errors: ["access_denied", "phone_not_e164"],
  extension: true,
});

/**
 * Deletes a customer's passkeys, for example after a lost device. The connection stays. The customer's next payment
 * requires a new passkey, which takes a code from their phone, and an approval with it. Errors: as `ResetPasskeys`.
 */
export async function resetPasskeys(ctx: Context, { params }: Pick<Input<typeof ResetPasskeys>, "params">) {
  const { handle } = params;
  const removed = await transaction(async (tx) => {
    const count = await removePasskeys(tx, {
      accountId: ctx.account.id,
      handle,
      at: ctx.now,
      isRevoked: false,
    });
    await recordAudit(tx, ctx, "passkey.reset", "passkey", handle, { removed: count });
    return count;
  });
  return { handle, removed };
}
