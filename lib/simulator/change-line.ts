import "server-only";
import { z } from "zod";
import { PhoneNumber } from "@/lib/chats/phone-handle";
import { findOwnLine } from "@/lib/lines/find-line";
import { receiveEvent } from "@/lib/messages/receive-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PathHandle } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

export const ChangeLine = contract({
  summary: "Take a simulated line down, or bring it up",
  tag: "Simulator",
  params: z.object({ phoneNumber: PathHandle.pipe(PhoneNumber) }),
  body: z.object({ is_up: z.boolean() }),
  returns: z.object({ phone_number: z.string(), is_up: z.boolean() }),
  status: 200,
  errors: ["field_missing", "phone_not_e164", "line_not_permitted", "feature_not_available"],
  extension: true,
});

/** While a line is down what is sent on it waits as `queued`. Errors: line_not_permitted, feature_not_available. */
export async function changeLine(ctx: Context, { params, body }: Input<typeof ChangeLine>) {
  requireSandbox(ctx);
  const line = await findOwnLine(ctx, params.phoneNumber);
  await receiveEvent(line, { on: "line", up: body.is_up });
  return { phone_number: line.phoneNumber, is_up: body.is_up };
}
