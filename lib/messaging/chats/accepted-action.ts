import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";

/** The response to an accepted action; an event reports its outcome (docs/contract.md, section 1.3). */
export const AcceptedAction = z
  .object({
    status: z.literal("accepted").describe("Always `accepted`."),
    message: z.string().describe("Description of the queued action, in English."),
    trace_id: z.string().describe("Trace ID of the request, the same as in the `X-Trace-ID` header."),
  })
  .meta({
    id: "AcceptedAction",
    description: "Confirms that the change was accepted. A webhook event reports the outcome.",
    examples: [
      {
        status: "accepted",
        message: "Participant addition queued",
        trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
      },
    ],
  });

export function toAcceptedAction(ctx: Context, message: string): z.infer<typeof AcceptedAction> {
  return { status: "accepted", message, trace_id: ctx.traceId };
}
