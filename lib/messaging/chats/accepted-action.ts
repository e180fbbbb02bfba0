import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";

/** That something was accepted and will be done; what comes of it an event tells (contract.md 2.16). */
export const AcceptedAction = z
  .object({ status: z.literal("accepted"), message: z.string(), trace_id: z.string() })
  .meta({ id: "AcceptedAction" });

export function toAcceptedAction(ctx: Context, message: string): z.infer<typeof AcceptedAction> {
  return { status: "accepted", message, trace_id: ctx.traceId };
}
