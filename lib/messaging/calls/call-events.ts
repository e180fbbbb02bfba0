import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_CONTACT, EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const CallStatus = z
  .enum(["initiated", "ringing", "answered", "ended", "failed", "declined", "no_answer"])
  .describe("Status of the call.");

const Call = z
  .object({
    call_id: z.uuid().describe("ID of the call."),
    from: z.string().describe("Phone number of the caller, in E.164 format."),
    to: z.string().describe("Phone number that was called, in E.164 format."),
    direction: z
      .enum(["inbound", "outbound"])
      .describe("`inbound` if the line received the call, `outbound` if the line placed it."),
    status: CallStatus,
    started_at: EventTime.describe("When the call started."),
    answered_at: EventTime.optional().describe("When the call was answered. Absent until then."),
    ended_at: EventTime.optional().describe("When the call ended. Absent until then."),
    duration_seconds: z
      .int()
      .min(0)
      .optional()
      .describe("Duration of the call in seconds. Absent until the call ends."),
  })
  .meta({ id: "CallEvent" });

/**
 * `data` of call.*. Endpoints can subscribe to these events, but they are never sent (docs/contract.md, section 12.4).
 */
function callPayload(status: z.infer<typeof CallStatus>) {
  const wasAnswered = status === "answered" || status === "ended";
  return plainPayload(Call, {
    call_id: "019ca9c2-4c07-7ba8-8077-a3e4f5061728",
    from: EXAMPLE_CONTACT.handle,
    to: EXAMPLE_LINE.handle,
    direction: "inbound",
    status,
    started_at: EXAMPLE_TIME,
    ...(wasAnswered && { answered_at: "2026-03-01T12:00:05.000Z" }),
    ...(status === "ended" && { ended_at: "2026-03-01T12:01:05.000Z", duration_seconds: 60 }),
  });
}

export const CALL_EVENTS = defineEvents({
  "call.initiated": callPayload("initiated"),
  "call.ringing": callPayload("ringing"),
  "call.answered": callPayload("answered"),
  "call.ended": callPayload("ended"),
  "call.failed": callPayload("failed"),
  "call.declined": callPayload("declined"),
  "call.no_answer": callPayload("no_answer"),
});
