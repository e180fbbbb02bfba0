import "server-only";
import { z } from "zod";
import { EXAMPLE_LINE, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { payload, plainPayload } from "@/lib/events/payload";

const LineStatus = z.enum(["ACTIVE", "FLAGGED"]);
const Reputation = z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]);
const LineCondition = z.object({ status: LineStatus, reputation: Reputation });

const StatusFacts = z.object({
  phone_number: z.string(),
  previous: LineCondition,
  current: LineCondition,
  changed_at: FactTime,
});

const LineStatusChange = z
  .object({
    phone_number: z.string(),
    previous_status: LineStatus,
    new_status: LineStatus,
    previous_reputation: Reputation,
    new_reputation: Reputation,
    /** Deprecated copies of the reputation. */
    previous_health_status: Reputation,
    new_health_status: Reputation,
    changed_at: z.iso.datetime(),
  })
  .meta({ id: "PhoneNumberStatusUpdatedEvent" });

/** `data` of phone_number.status_updated (contract.md 4.3). */
export const lineStatusPayload = payload(
  StatusFacts,
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
  .object({ phone_number: z.string(), changed_at: FactTime })
  .meta({ id: "PhoneNumberAssignmentEvent" });

/** `data` of phone_number.assigned and phone_number.released (contract.md 4.3). */
export const lineAssignmentPayload = plainPayload(LineAssignment, {
  phone_number: EXAMPLE_LINE.handle,
  changed_at: EXAMPLE_TIME,
});
