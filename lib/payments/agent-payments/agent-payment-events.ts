import "server-only";
import { z } from "zod";
import { defineEvents, defineInternalEvent } from "@/lib/events/catalog/define-events";
import { plainPayload } from "@/lib/events/catalog/payload";
import { Payment } from "@/lib/payments/agent-payments/agent-payment";
import { AgentPaymentStatus } from "@/lib/platform/prisma/enums";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

/** `data` of payment.authorized and payment.declined, the events of agent payments (docs/contract.md, section 12.5). */
function agentPaymentPayload(status: "authorized" | "declined") {
  return plainPayload(Payment, {
    id: "019ca9c2-4c09-7dca-8299-c5061728394a",
    amount_cents: 4200,
    currency: "usd",
    description: "Dinner for two",
    handle: EXAMPLE_CONTACT.handle,
    status,
  });
}

export const AGENT_PAYMENT_EVENTS = defineEvents({
  "payment.declined": agentPaymentPayload("declined"),
  "payment.authorized": agentPaymentPayload("authorized"),
});

/** Makes the dashboard reload the payment. */
export const PAYMENT_MOVED = defineInternalEvent(
  "agent_payment.moved",
  z.object({ payment_id: z.uuid(), status: z.enum(AgentPaymentStatus) }),
);
