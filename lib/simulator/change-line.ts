import "server-only";
import { z } from "zod";
import { PhoneNumber } from "@/lib/chats/phone-handle";
import { findOwnLine } from "@/lib/lines/find-line";
import { setLineStatus } from "@/lib/lines/set-line-status";
import { receiveEvent } from "@/lib/messages/receive-event";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { LineStatus } from "@/lib/platform/prisma/enums";
import { PathHandle } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

export const ChangeLine = contract({
  summary: "Take a simulated line down or bring it up, flag it or clear it",
  tag: "Simulator",
  params: z.object({ phoneNumber: PathHandle.pipe(PhoneNumber) }),
  body: z
    .object({ is_up: z.boolean().optional(), status: z.enum(LineStatus).optional() })
    .refine(({ is_up, status }) => is_up !== undefined || status !== undefined, "give is_up or status"),
  returns: z.object({ phone_number: z.string(), is_up: z.boolean(), status: z.enum(LineStatus) }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164", "line_not_permitted", "feature_not_available"],
  extension: true,
});

/**
 * While a line is down what is sent on it waits as `queued`; while it is flagged it refuses what is sent. What is not
 * given stays. Errors: line_not_permitted, feature_not_available.
 */
export async function changeLine(ctx: Context, { params, body }: Input<typeof ChangeLine>) {
  requireSandbox(ctx);
  const line = await findOwnLine(ctx, params.phoneNumber);

  if (body.is_up !== undefined) await receiveEvent(line, { on: "line", up: body.is_up });
  if (body.status !== undefined) await setLineStatus(ctx, line.id, body.status);

  const { phoneNumber, isUp, status } = line;
  return { phone_number: phoneNumber, is_up: body.is_up ?? isUp, status: body.status ?? status };
}
