import "server-only";
import { z } from "zod";
import { defineEvents, defineInternalEvent } from "@/lib/events/catalog/define-events";
import { EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload } from "@/lib/events/catalog/payload";
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
 * The checkout link is a secret, so event data stores its session sealed. Rendering a payload unseals it. Examples
 * contain a plain link.
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

const RequestData = PaymentRequest.omit({ checkout_url: true }).extend({ checkout: Checkout });

const REQUEST: Omit<z.input<typeof RequestData>, "status"> = {
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

/** `data` of payment.succeeded (docs/contract.md, section 12.5). */
const paymentSucceededPayload = requestPayload({
  ...REQUEST,
  status: "succeeded",
  paid_at: "2026-03-01T12:03:00.000Z",
  rail: "primary",
  primary: { payment_intent_id: "pi_example" },
});

/** `data` of payment.canceled and payment.expired (docs/contract.md, section 12.5). */
function paymentEndedPayload(status: "canceled" | "expired") {
  return requestPayload({ ...REQUEST, status });
}

function requestPayload(example: z.input<typeof RequestData>) {
  const render = ({ checkout, ...request }: z.output<typeof RequestData>) => ({
    ...request,
    checkout_url: checkout,
  });
  return payload(RequestData, { schema: PaymentRequest, render }, example);
}

export const PAYMENT_REQUEST_EVENTS = defineEvents({
  "payment.succeeded": paymentSucceededPayload,
  "payment.canceled": paymentEndedPayload("canceled"),
  "payment.expired": paymentEndedPayload("expired"),
});

const PaymentNote = z.object({
  payment_request_id: z.uuid(),
  amount: z.int(),
  currency: z.string(),
  /** The processor's reason for a decline. */
  reason: z.string().optional(),
});

/** The events of a request in the timeline of each chat that received its link. */
export const PAYMENT_NOTES = {
  "payment_request.requested": defineInternalEvent("payment_request.requested", PaymentNote),
  "payment_request.opened": defineInternalEvent("payment_request.opened", PaymentNote),
  "payment_request.attempted": defineInternalEvent("payment_request.attempted", PaymentNote),
  "payment_request.challenged": defineInternalEvent("payment_request.challenged", PaymentNote),
  "payment_request.declined": defineInternalEvent("payment_request.declined", PaymentNote),
  "payment_request.paid": defineInternalEvent("payment_request.paid", PaymentNote),
};
