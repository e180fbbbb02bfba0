import "server-only";
import { z } from "zod";
import type { Merchant, OrderRefs } from "@/lib/adapters/processors/processor";
import { EventTime } from "@/lib/events/catalog/event-time";
import { checkoutLink } from "@/lib/payments/requests/checkout-session";
import type { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import type { RowOf } from "@/lib/platform/database/statement";

const Discount = z.object({
  coupon: z.string().optional().describe("ID of the coupon."),
  promotion_code: z.string().optional().describe("ID of the promotion code."),
  label: z.string().optional().describe("Label of the discount at checkout."),
});

const RequestItem = z.object({
  name: z.string().describe("Name of the item."),
  description: z.string().optional().describe("Description of the item."),
  quantity: z.int().optional().describe("Number of units."),
  amount: z.int().optional().describe("Price of one unit in minor units of the currency."),
});

export const PaymentRequestParams = z.object({
  paymentRequestId: z
    .uuid()
    .meta({ description: "ID of the payment request.", examples: ["019ca9c2-4c08-7cb9-9188-b4f506172839"] }),
});

/** A payment request (docs/contract.md, section 13.2). */
export const PaymentRequest = z
  .object({
    id: z.uuid().describe("ID of the payment request."),
    object: z.literal("payment_request").describe("Always `payment_request`."),
    status: z
      .enum(["requested", "succeeded", "canceled", "expired"])
      .describe(
        "Status of the payment request. A request with a trial is `succeeded` once the payment method is collected, before any funds move.",
      ),
    amount: z
      .int()
      .describe(
        "Amount in minor units of the currency. For a subscription, the recurring amount of each renewal.",
      ),
    currency: z.string().describe("ISO 4217 currency code in lower case."),
    mode: z
      .enum(["payment", "subscription"])
      .describe("`payment` for a one-time payment, `subscription` for a recurring price."),
    checkout_url: z
      .url()
      .describe("URL of the checkout page for the recipient. Send it as a link part or an app clip part."),
    created_at: EventTime.describe("When the payment request was created."),
    updated_at: EventTime.optional().describe("When the payment request last changed."),
    expires_at: EventTime.optional().describe("When the payment request expires if it is not paid."),
    paid_at: EventTime.optional().describe("When the payment request was paid. Absent until then."),
    description: z.string().optional().describe("Purpose of the payment."),
    image_url: z.url().optional().describe("URL of the image shown at checkout."),
    metadata: z.record(z.string(), z.string()).optional().describe("Your own keys and values."),
    rail: z
      .enum(["primary", "secondary"])
      .nullable()
      .optional()
      .describe("Rail that the payment settled on; `null` until it settles."),
    primary: z
      .object({
        customer_id: z.string().optional().describe("ID of the customer."),
        payment_intent_id: z.string().optional().describe("ID of the payment intent."),
        subscription_id: z.string().optional().describe("ID of the subscription."),
      })
      .optional()
      .describe("IDs on your processor account."),
    secondary: z
      .object({
        payment_request_id: z
          .string()
          .optional()
          .describe("ID of the payment request on the secondary rail."),
        transaction_id: z.string().optional().describe("ID of the transaction on the secondary rail."),
      })
      .optional()
      .describe("IDs on the secondary rail. Present when `rail` is `secondary`."),
    price_id: z.string().optional().describe("ID of the recurring price."),
    quantity: z.int().optional().describe("Number of units of the price."),
    interval: z
      .enum(["day", "week", "month", "year"])
      .optional()
      .describe("Unit of the renewal interval of the subscription."),
    interval_count: z
      .int()
      .optional()
      .describe(
        "Number of intervals between renewals. `3` with the interval `month` renews every three months.",
      ),
    trial_end: EventTime.optional().describe("End of the free trial. Present on trial requests only."),
    discount: Discount.optional().describe("Discount on the subscription."),
    success_url: z.url().optional().describe("URL of the page that the payer returns to after paying."),
    return_url: z.url().optional().describe("URL of the page that the payer returns to."),
    cancel_url: z.url().optional().describe("URL of the page that the payer returns to without paying."),
    receipt_email: z.string().optional().describe("Email address that the receipt is sent to."),
    items: z.array(RequestItem).optional().describe("Items shown at checkout."),
    locale: z.string().optional().describe("Language of the checkout."),
  })
  .meta({
    id: "PaymentRequest",
    description: "A request for payment with a hosted checkout page.",
    examples: [
      {
        id: "019ca9c2-4c08-7cb9-9188-b4f506172839",
        object: "payment_request",
        status: "requested",
        amount: 4200,
        currency: "usd",
        mode: "payment",
        checkout_url: "https://pay.example.com/pay/harbor-kitchen?session=tlpay_example",
        created_at: "2026-03-01T12:00:00.000Z",
        updated_at: "2026-03-01T12:00:00.000Z",
        expires_at: "2026-03-02T12:00:00.000Z",
        description: "Dinner for two",
        metadata: { order: "1042" },
        rail: null,
      },
    ],
  });

export type PaymentRequest = z.infer<typeof PaymentRequest>;

/** A discount as it is stored. */
export type RequestDiscount = z.infer<typeof Discount>;
/** The unit of a renewal interval. */
export type RequestInterval = NonNullable<PaymentRequest["interval"]>;
/** The items shown at checkout. */
export type RequestItems = z.infer<typeof RequestItem>[];

/** A row of `payment_requests` with its account's checkout slug and account type. */
export type PaymentRequestRow = RowOf<"find-payment-request">;

/** The optional texts of a request. Each is stored as it was sent, and returned as it is stored. */
const TEXT_FIELDS = [
  "description",
  "image_url",
  "price_id",
  "success_url",
  "return_url",
  "cancel_url",
  "receipt_email",
  "locale",
] as const satisfies (keyof PaymentRequest)[];

type TextField = (typeof TEXT_FIELDS)[number];

/** The texts in an insert into `payment_requests`: the columns, and their parameters, which `textValues` returns. */
export const TEXT_COLUMNS = TEXT_FIELDS.join(", ");
export const TEXT_PARAMETERS = TEXT_FIELDS.map((name) => `:${camel(name)}`).join(", ");

const COLUMN_NAMES = [
  ...TEXT_FIELDS,
  "account_id",
  "id",
  "mode",
  "status",
  "currency",
  "metadata",
  "rail",
  "quantity",
  "interval",
  "interval_count",
  "trial_end",
  "discount",
  "items",
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

/** The columns of a PaymentRequestRow, from `payment_requests r`. Amounts are bigint columns, read as numbers. */
export const REQUEST_COLUMNS = `${COLUMN_NAMES.map((name) => `r.${name} as "${camel(name)}"`).join(", ")},
  r.amount_minor::float8 as "amountMinor: MinorUnits", r.charged_minor::float8 as "chargedMinor: MinorUnits",
  (select b.slug from checkout_brandings b where b.account_id = r.account_id) as "slug!",
  (select a.type from accounts a where a.id = r.account_id) as "accountType!"`;

/** The only serializer of requests, for the API and the dashboard. */
export function toPaymentRequest(row: PaymentRequestRow): PaymentRequest {
  return { ...paymentRequestEventData(row), checkout_url: checkoutLink(row, row.slug, row.sessionSealed) };
}

/** A request without its checkout link, which is a secret. */
export function paymentRequestEventData(row: PaymentRequestRow): Omit<PaymentRequest, "checkout_url"> {
  return {
    id: row.id,
    object: "payment_request",
    status: row.status,
    amount: row.amountMinor,
    currency: row.currency,
    mode: row.mode,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    paid_at: row.paidAt?.toISOString(),
    ...textsOf(row),
    metadata: row.metadata ?? undefined,
    rail: row.status === "succeeded" ? row.rail : null,
    ...idsOf(row),
    quantity: row.quantity ?? undefined,
    interval: row.interval ?? undefined,
    interval_count: row.intervalCount ?? undefined,
    trial_end: row.trialEnd?.toISOString(),
    discount: row.discount ?? undefined,
    items: row.items ?? undefined,
  };
}

/** The parameters of TEXT_PARAMETERS. */
export function textValues(
  body: Pick<z.output<typeof PaymentRequestBody>, TextField>,
): Record<Camel<TextField>, string | undefined> {
  const values = TEXT_FIELDS.map((name) => [camel(name), body[name]]);
  return Object.fromEntries(values) as Record<Camel<TextField>, string | undefined>;
}

function textsOf(row: Pick<PaymentRequestRow, Camel<TextField>>): Partial<Record<TextField, string>> {
  return Object.fromEntries(TEXT_FIELDS.map((name) => [name, row[camel(name)] ?? undefined]));
}

/** The merchant account at the processor that the request was created with. */
export function merchantOf({ accountId, merchantId }: PaymentRequestRow): Merchant {
  return { accountId, merchantId };
}

/** Whether the payment exists at the processor. It can't be paid before that. */
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

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

function camel<Name extends string>(name: Name): Camel<Name> {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;
}
