import "server-only";
import { z } from "zod";
import { EXAMPLE_CONTACT, EXAMPLE_TIME } from "@/lib/events/example-facts";
import { payload, plainPayload } from "@/lib/events/payload";
import { Payment } from "@/lib/payments/agent-payments/agent-payment";
import { checkoutLink } from "@/lib/payments/requests/checkout-session";
import { PaymentRequest } from "@/lib/payments/requests/payment-request";

const StoredCheckout = z.object({
  slug: z.string(),
  sealed: z.base64(),
  /** Absent in events of earlier versions, whose sessions are not bound to a row. */
  account_id: z.uuid().default(""),
  request_id: z.uuid().default(""),
});

/**
 * The link of a request is a secret: facts hold its session sealed, and it is opened as the payload is rendered. Examples
 * have a plain one.
 */
const Checkout = z.union([z.object({ url: z.url() }), StoredCheckout]).transform((checkout, { addIssue }) => {
  if ("url" in checkout) return checkout.url;
  try {
    const { account_id: accountId, request_id: id, slug, sealed } = checkout;
    return checkoutLink({ accountId, id }, slug, Buffer.from(sealed, "base64"));
  } catch {
    addIssue("the session was not encrypted by this instance");
    return z.NEVER;
  }
});

const RequestFacts = PaymentRequest.omit({ checkout_url: true }).extend({ checkout: Checkout });

const REQUEST: Omit<z.input<typeof RequestFacts>, "status"> = {
  id: "019ca9c2-4c08-7cb9-9188-b4f506172839",
  object: "payment_request",
  amount: 4200,
  currency: "usd",
  mode: "payment",
  checkout: { url: "https://pay.example.com/pay/harbor-kitchen?session=tlpay_example" },
  created_at: EXAMPLE_TIME,
  updated_at: "2026-03-01T12:03:00.000Z",
  description: "Dinner for two",
  metadata: { order: "1042" },
};

/** `data` of payment.succeeded (contract.md 4.3). */
export const paymentSucceededPayload = requestPayload({
  ...REQUEST,
  status: "succeeded",
  paid_at: "2026-03-01T12:03:00.000Z",
  rail: "primary",
  primary: { payment_intent_id: "pi_example" },
});

/** `data` of payment.canceled and payment.expired (contract.md 4.3). */
export function paymentEndedPayload(status: "canceled" | "expired") {
  return requestPayload({ ...REQUEST, status });
}

function requestPayload(example: z.input<typeof RequestFacts>) {
  const render = ({ checkout, ...request }: z.output<typeof RequestFacts>) => ({
    ...request,
    checkout_url: checkout,
  });
  return payload(RequestFacts, { schema: PaymentRequest, render }, example);
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
