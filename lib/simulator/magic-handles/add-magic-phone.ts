import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { Handle } from "@/lib/platform/text/phone-handle";
import { introduceMagicHandles } from "@/lib/simulator/magic-handles/magic-handles";
import { findPhone, Phone, toPhone } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

export const AddMagicPhone = contract({
  summary: "Add the phone of a magic handle",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  body: z.object({ handle: Handle.describe("A handle of `GET /simulator/handles`.") }),
  returns: Phone,
  status: 201,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "name_unknown", "feature_not_available"],
});

/**
 * Creates the phone of a magic handle with its behavior, and lets the account's simulated lines send to the phone. An
 * existing phone stays the same. Errors: name_unknown (not a magic handle), feature_not_available.
 */
export async function addMagicPhone(ctx: Context, { body }: Input<typeof AddMagicPhone>): Promise<Phone> {
  requireSandbox(ctx);
  await introduceMagicHandles(ctx, [body.handle]);
  return toPhone(await findPhone(ctx.account.id, body.handle));
}
