import "server-only";
import { z } from "zod";
import { EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { plainPayload } from "@/lib/events/payload";

const partyShape = {
  handle: z.string().describe("Phone number or email address of the customer."),
  provider: z.string().describe("Name of the card provider."),
};
const EXAMPLE = { handle: EXAMPLE_CONTACT.handle, provider: "servicecard" };

/** `data` of connection.created (contract.md 4.3). */
export const connectionCreatedPayload = plainPayload(
  z
    .object({
      ...partyShape,
      status: z.literal("connected").describe("Status of the connection."),
      created_at: FactTime.describe("When the customer connected."),
    })
    .meta({ id: "ConnectionCreatedEvent" }),
  { ...EXAMPLE, status: "connected", created_at: EXAMPLE_TIME },
);

/** `data` of connection.revoked (contract.md 4.3). */
export const connectionRevokedPayload = plainPayload(
  z
    .object({
      ...partyShape,
      status: z.literal("revoked").describe("Status of the connection."),
      revoked_at: FactTime.describe("When the connection ended."),
    })
    .meta({ id: "ConnectionRevokedEvent" }),
  { ...EXAMPLE, status: "revoked", revoked_at: EXAMPLE_TIME },
);
