import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { plainPayload } from "@/lib/events/catalog/payload";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const partyShape = {
  handle: z.string().describe("Phone number or email address of the customer."),
  provider: z.string().describe("Name of the card provider."),
};
const EXAMPLE = { handle: EXAMPLE_CONTACT.handle, provider: "servicecard" };

/** `data` of connection.created (docs/contract.md, section 12.5). */
const connectionCreatedPayload = plainPayload(
  z
    .object({
      ...partyShape,
      status: z.literal("connected").describe("Status of the connection."),
      created_at: EventTime.describe("When the customer connected."),
    })
    .meta({ id: "ConnectionCreatedEvent" }),
  { ...EXAMPLE, status: "connected", created_at: EXAMPLE_TIME },
);

/** `data` of connection.revoked (docs/contract.md, section 12.5). */
const connectionRevokedPayload = plainPayload(
  z
    .object({
      ...partyShape,
      status: z.literal("revoked").describe("Status of the connection."),
      revoked_at: EventTime.describe("When the connection ended."),
    })
    .meta({ id: "ConnectionRevokedEvent" }),
  { ...EXAMPLE, status: "revoked", revoked_at: EXAMPLE_TIME },
);

export const CONNECTION_EVENTS = defineEvents({
  "connection.created": connectionCreatedPayload,
  "connection.revoked": connectionRevokedPayload,
});
