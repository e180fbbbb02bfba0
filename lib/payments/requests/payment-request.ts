import "server-only";
import { z } from "zod";
import type { Merchant, OrderRefs } from "@/lib/adapters/processors/processor";
import { FactTime } from "@/lib/events/fact-time";
import { checkoutLink } from "@/lib/payments/requests/checkout-session";
import type { PaymentRail, PaymentRequestMode, PaymentRequestStatus } from "@/lib/platform/prisma/enums";

const Discount = z.object({
  coupon: z.string().optional(),
  promotion_code: z.string().optional(),
  label: z.string().optional(),
});

const RequestItem = z.object({
  name: z.string(),
  description: z.string().optional(),
  quantity: z.int().optional(),
  amount: z.int().optional(),
});

/** A payment request (partner-api.md, PaymentRequest; contract.md 2.12). */
export const PaymentRequest = z
  .object({
    id: z.uuid(),
    object: z.literal("payment_request"),
    status: z.enum(["requested", "succeeded", "canceled", "expired"]),
    /** In minor units; of a subscription what recurs. */
    amount: z.int(),
    currency: z.string(),
    mode: z.enum(["payment", "subscription"]),
    checkout_url: z.url(),
    created_at: FactTime,
    updated_at: FactTime.optional(),
    expires_at: FactTime.optional(),
    paid_at: FactTime.optional(),
    description: z.string().optional(),
    image_url: z.url().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    /** The rail it settled on; null until then. */
    rail: z.enum(["primary", "secondary"]).nullable().optional(),
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
    discount: Discount.optional(),
    success_url: z.url().optional(),
    return_url: z.url().optional(),
    cancel_url: z.url().optional(),
    receipt_email: z.string().optional(),
    items: z.array(RequestItem).optional(),
    locale: z.string().optional(),
  })
  .meta({ id: "PaymentRequest" });

export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** A row of `payment_requests` with the slug of its account's checkout and what its account is. */
export interface PaymentRequestRow {
  accountId: string;
  id: string;
  mode: PaymentRequestMode;
  status: PaymentRequestStatus;
  amount: string;
  charged: string | null;
  currency: string;
  description: string | null;
  imageUrl: string | null;
  metadata: Record<string, string> | null;
  rail: PaymentRail;
  priceId: string | null;
  quantity: number | null;
  interval: NonNullable<PaymentRequest["interval"]> | null;
  intervalCount: number | null;
  trialEnd: Date | null;
  discount: z.infer<typeof Discount> | null;
  successUrl: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  receiptEmail: string | null;
  items: z.infer<typeof RequestItem>[] | null;
  locale: string | null;
  processor: string;
  merchantId: string;
  isOwnCustomer: boolean;
  customerId: string | null;
  paymentIntentId: string | null;
  subscriptionId: string | null;
  secondaryRequestId: string | null;
  secondaryTransactionId: string | null;
  sessionSealed: Buffer;
  traceId: string;
  expiresAt: Date;
  checkAt: Date | null;
  isProcessing: boolean;
  openedAt: Date | null;
  paidAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  slug: string;
  accountType: "sandbox" | "production";
}

const COLUMN_NAMES = [
  "account_id",
  "id",
  "mode",
  "status",
  "amount",
  "charged",
  "currency",
  "description",
  "image_url",
  "metadata",
  "rail",
  "price_id",
  "quantity",
  "interval",
  "interval_count",
  "trial_end",
  "discount",
  "success_url",
  "return_url",
  "cancel_url",
  "receipt_email",
  "items",
  "locale",
  "processor",
  "merchant_id",
  "is_own_customer",
  "customer_id",
  "payment_intent_id",
  "subscription_id",
  "secondary_request_id",
  "secondary_transaction_id",
  "session_sealed",
  "trace_id",
  "expires_at",
  "check_at",
  "is_processing",
  "opened_at",
  "paid_at",
  "created_at",
  "updated_at",
];

/** The columns of a PaymentRequestRow, of `payment_requests r`. */
export const REQUEST_COLUMNS = `${COLUMN_NAMES.map((name) => `r.${name} as "${camel(name)}"`).join(", ")},
  (select b.slug from checkout_brandings b where b.account_id = r.account_id) as slug,
  (select a.type from accounts a where a.id = r.account_id) as "accountType"`;

/** The one form in which a request is shown, to the API and to people. */
export function toPaymentRequest(row: PaymentRequestRow): PaymentRequest {
  return { ...paymentRequestFacts(row), checkout_url: checkoutLink(row, row.slug, row.sessionSealed) };
}

/** All of a request but its link, which is a secret. */
export function paymentRequestFacts(row: PaymentRequestRow): Omit<PaymentRequest, "checkout_url"> {
  return {
    id: row.id,
    object: "payment_request",
    status: row.status,
    amount: Number(row.amount),
    currency: row.currency,
    mode: row.mode,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    paid_at: row.paidAt?.toISOString(),
    description: row.description ?? undefined,
    image_url: row.imageUrl ?? undefined,
    metadata: row.metadata ?? undefined,
    rail: row.status === "succeeded" ? row.rail : null,
    ...idsOf(row),
    price_id: row.priceId ?? undefined,
    quantity: row.quantity ?? undefined,
    interval: row.interval ?? undefined,
    interval_count: row.intervalCount ?? undefined,
    trial_end: row.trialEnd?.toISOString(),
    discount: row.discount ?? undefined,
    success_url: row.successUrl ?? undefined,
    return_url: row.returnUrl ?? undefined,
    cancel_url: row.cancelUrl ?? undefined,
    receipt_email: row.receiptEmail ?? undefined,
    items: row.items ?? undefined,
    locale: row.locale ?? undefined,
  };
}

/** The account's own account at the processor, as the request was made. */
export function merchantOf({ accountId, merchantId }: PaymentRequestRow): Merchant {
  return { accountId, merchantId };
}

/** Whether the payment was made at the processor: before that nobody can pay. */
export function isOpened({ paymentIntentId, subscriptionId }: OrderRefs): boolean {
  return paymentIntentId !== null || subscriptionId !== null;
}

function idsOf(row: PaymentRequestRow): Pick<PaymentRequest, "primary" | "secondary"> {
  if (row.rail === "secondary") {
    const { secondaryRequestId, secondaryTransactionId } = row;
    const payment_request_id = secondaryRequestId ?? undefined;
    return { secondary: { payment_request_id, transaction_id: secondaryTransactionId ?? undefined } };
  }
  const primary = {
    customer_id: row.customerId ?? undefined,
    payment_intent_id: row.paymentIntentId ?? undefined,
    subscription_id: row.subscriptionId ?? undefined,
  };
  return Object.values(primary).some((id) => id !== undefined) ? { primary } : {};
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
