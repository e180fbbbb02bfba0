import "server-only";
import { z } from "zod";
import { Payment } from "@/lib/agent-payments/agent-payment";
import { EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { FactTime } from "@/lib/events/fact-time";
import { plainPayload } from "@/lib/events/payload";

/** A payment request (partner-api.md, PaymentRequest; contract.md 2.12). */
const PaymentRequest = z
  .object({
    id: z.uuid(),
    object: z.literal("payment_request"),
    status: z.enum(["requested", "succeeded", "canceled", "expired"]),
    /** What was charged, in minor units: the first invoice after a discount. */
    amount: z.int(),
    currency: z.string(),
    mode: z.enum(["payment", "subscription"]),
    checkout_url: z.url(),
    created_at: FactTime,
    updated_at: FactTime.optional(),
    expires_at: FactTime.optional(),
    paid_at: FactTime.optional(),
    description: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    rail: z.enum(["primary", "secondary"]).optional(),
    primary: z
      .object({
        customer_id: z.string().optional(),
        payment_intent_id: z.string().optional(),
        subscription_id: z.string().optional(),
      })
      .optional(),
    secondary: z
      .object({ payment_request_id: z.string().optional(), transaction_id: z.string().optional() })
      .optional(),
    price_id: z.string().optional(),
    quantity: z.int().optional(),
    interval: z.enum(["day", "week", "month", "year"]).optional(),
    interval_count: z.int().optional(),
    trial_end: FactTime.optional(),
    discount: z
      .object({
        coupon: z.string().optional(),
        promotion_code: z.string().optional(),
        label: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: "PaymentRequest" });

const REQUEST: Omit<z.input<typeof PaymentRequest>, "status"> = {
  id: "019ca9c2-4c08-7cb9-9188-b4f506172839",
  object: "payment_request",
  amount: 4200,
  currency: "usd",
  mode: "payment",
  checkout_url: "https://pay.example.com/pay/harbor-kitchen?session=cs_example",
  created_at: EXAMPLE_TIME,
  updated_at: "2026-03-01T12:03:00.000Z",
  description: "Dinner for two",
  metadata: { order: "1042" },
};

/** `data` of payment.succeeded (contract.md 4.3). */
export const paymentSucceededPayload = plainPayload(PaymentRequest, {
  ...REQUEST,
  status: "succeeded",
  paid_at: "2026-03-01T12:03:00.000Z",
  rail: "primary",
  primary: { payment_intent_id: "pi_example" },
});

/** `data` of payment.canceled and payment.expired (contract.md 4.3). */
export function paymentEndedPayload(status: "canceled" | "expired") {
  return plainPayload(PaymentRequest, { ...REQUEST, status });
}

/** `data` of payment.authorized and payment.declined, which are of agent payments (contract.md 0 and 4.3). */
export function agentPaymentPayload(status: "authorized" | "declined") {
  return plainPayload(Payment, {
    id: "019ca9c2-4c09-7dca-8299-c5061728394a",
    amount_cents: 4200,
    currency: "usd",
    description: "Dinner for two",
    handle: EXAMPLE_CONTACT.handle,
    status,
  });
}
