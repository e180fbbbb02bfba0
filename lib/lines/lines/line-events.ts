import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload, plainPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const LineStatus = z.enum(["ACTIVE", "FLAGGED"]);
const Reputation = z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]);
const LineCondition = z.object({ status: LineStatus, reputation: Reputation });

const StatusData = z.object({
  phone_number: z.string(),
  previous: LineCondition,
  current: LineCondition,
  changed_at: EventTime,
});

const LineStatusChange = z
  .object({
    phone_number: z.string().describe("The line, in E.164 format."),
    previous_status: LineStatus.describe("Status before the change."),
    new_status: LineStatus.describe("Status after the change."),
    previous_reputation: Reputation.describe("Reputation before the change."),
    new_reputation: Reputation.describe("Reputation after the change."),
    previous_health_status: Reputation.describe("Deprecated. A copy of `previous_reputation`."),
    new_health_status: Reputation.describe("Deprecated. A copy of `new_reputation`."),
    changed_at: z.iso.datetime().describe("When the status or the reputation changed."),
  })
  .meta({ id: "PhoneNumberStatusUpdatedEvent" });

/** `data` of phone_number.status_updated (docs/contract.md, section 12.5). */
const lineStatusPayload = payload(
  StatusData,
  {
    schema: LineStatusChange,
    render: ({ phone_number, previous, current, changed_at }) => ({
      phone_number,
      previous_status: previous.status,
      new_status: current.status,
      previous_reputation: previous.reputation,
      new_reputation: current.reputation,
      previous_health_status: previous.reputation,
      new_health_status: current.reputation,
      changed_at,
    }),
  },
  {
    phone_number: EXAMPLE_LINE.handle,
    previous: { status: "ACTIVE", reputation: "HEALTHY" },
    current: { status: "FLAGGED", reputation: "CRITICAL" },
    changed_at: EXAMPLE_TIME,
  },
);

const LineAssignment = z
  .object({
    phone_number: z.string().describe("The line, in E.164 format."),
    changed_at: EventTime.describe("When the line was assigned or released."),
  })
  .meta({ id: "PhoneNumberAssignmentEvent" });

/** `data` of phone_number.assigned and phone_number.released (docs/contract.md, section 12.5). */
const lineAssignmentPayload = plainPayload(LineAssignment, {
  phone_number: EXAMPLE_LINE.handle,
  changed_at: EXAMPLE_TIME,
});

export const LINE_EVENTS = defineEvents({
  "phone_number.status_updated": lineStatusPayload,
  "phone_number.assigned": lineAssignmentPayload,
  "phone_number.released": lineAssignmentPayload,
});
