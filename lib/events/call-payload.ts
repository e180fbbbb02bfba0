import "server-only";
import { z } from "zod";
import { EXAMPLE_CONTACT, EXAMPLE_LINE, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { plainPayload } from "@/lib/events/payload";

const CallStatus = z.enum(["initiated", "ringing", "answered", "ended", "failed", "declined", "no_answer"]);

const Call = z
  .object({
    call_id: z.uuid(),
    from: z.string(),
    to: z.string(),
    direction: z.enum(["inbound", "outbound"]),
    status: CallStatus,
    started_at: FactTime,
    answered_at: FactTime.optional(),
    ended_at: FactTime.optional(),
    duration_seconds: z.int().min(0).optional(),
  })
  .meta({ id: "CallEvent" });

/** `data` of call.*, which can be subscribed to and are never sent (contract.md 0 and 4.3). */
export function callPayload(status: z.infer<typeof CallStatus>) {
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
