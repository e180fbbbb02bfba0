import "server-only";
import type { MinorUnits } from "@/lib/platform/text/money";

/** The partner's own account at a processor: funds settle there. */
export interface Merchant {
  accountId: string;
  merchantId: string;
}

/** A recurring price at the processor. */
export interface Price {
  isActive: boolean;
  currency: string;
  /** Per unit and interval. */
  unitAmountMinor: MinorUnits;
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
}

export interface Discount {
  coupon?: string;
  promotion_code?: string;
}

/** The processor's ids of the payment for a request. */
export interface OrderRefs {
  paymentIntentId: string | null;
  subscriptionId: string | null;
}

/** The key of the metadata of a payment at the processor with the request's id. */
export const REQUEST_MARKER = "trunkline_payment_request";

/** The content of a payment. */
export interface Order extends OrderRefs {
  /** The request's id. Opening the same key twice creates one payment. */
  key: string;
  mode: "payment" | "subscription";
  /** One-time, or per interval. */
  amountMinor: MinorUnits;
  currency: string;
  customerId: string | null;
  priceId: string | null;
  quantity: number;
  trialEnd: Date | null;
  discount: Discount | null;
  description: string | null;
  /** The recipient of the receipt. Processors without receipts ignore it. */
  receiptEmail: string | null;
  metadata: Record<string, string>;
}

export interface CustomerDetails {
  email: string | null;
  metadata: Record<string, string>;
}

/** The payment method on Trunkline's page: a choice of test cards, or the processor's own payment field. */
export type PaymentField =
  | { kind: "test_cards" }
  | {
      kind: "stripe";
      clientSecret: string;
      intent: "payment" | "setup";
      /** The amount that confirming charges. 0 when only the payment method is collected. */
      amountMinor: MinorUnits;
      publishableKey: string;
      merchantId: string;
    };

/** The status of an order at the processor. */
export type OrderOutcome =
  /** Unpaid, including when the processor let the payment expire: `open` then creates another one. */
  | { type: "open" }
  /** The payer has paid, but it is not yet known whether the money will arrive. It can no longer be canceled. */
  | { type: "processing" }
  | { type: "canceled" }
  | ({ type: "paid" } & Paid);

export interface Paid {
  at: Date;
  /** The charged amount. 0 when only the payment method was collected. */
  chargedMinor: MinorUnits;
  paymentIntentId?: string;
  secondary?: { requestId: string; transactionId: string };
}

/** The result of paying with a test card. */
export type Attempt = "paid" | "declined" | "needs_step" | "processing" | "ended";

/** A payer's attempt that did not pay: declined, with the processor's reason, or authentication is required. */
export interface PayerFact {
  type: "declined" | "challenged";
  /** For example insufficient_funds. null when the processor gave no reason. */
  reason: string | null;
}

export const REVERSAL_TYPES = ["refund", "dispute"] as const;

/** Refunds are pending, succeeded or failed. Disputes have the other statuses; closed = without a decision. */
export const REVERSAL_STATUSES = [
  "pending",
  "succeeded",
  "failed",
  "needs_response",
  "under_review",
  "won",
  "lost",
  "closed",
] as const;

/** A refund or a dispute of a payment, as the processor has it now. */
export interface Reversal {
  /** The processor's id. */
  id: string;
  type: (typeof REVERSAL_TYPES)[number];
  status: (typeof REVERSAL_STATUSES)[number];
  amountMinor: MinorUnits;
  currency: string;
  /** The processor's reason, for example fraudulent. */
  reason: string | null;
  /** The deadline for evidence against a dispute. */
  respondBy: Date | null;
  at: Date;
}

/**
 * A notification from a processor: about a payment, about its refunds and disputes, or that the account's ability to
 * charge may have changed.
 */
export type ProcessorEvent =
  | { about: "order"; merchantId: string; refs: OrderRefs; fact?: PayerFact }
  | { about: "reversal"; merchantId: string; paymentIntentId: string }
  | { about: "merchant"; merchantId: string };

/** A webhook from a processor with a valid signature. */
interface ProcessorWebhook {
  eventId: string;
  notice: ProcessorEvent | null;
}

/**
 * Collects the payers' money. Only the processor decides whether a request was paid or canceled: `cancel` and `look`
 * return which. Throws AdapterError: `rejected`, `not_reachable` (nothing was done), `unknown_outcome` (ask again with
 * `look`), `no_account` (the merchant disconnected Trunkline, so the request can't be paid). Every processor passes
 * `conformance.ts`.
 */
export interface Processor {
  readonly name: string;
  /** Why an account of this type can't be paid through it with the current settings, or null when it can. */
  refusal(accountType: "sandbox" | "production"): string | null;
  acceptsCurrency(merchant: Merchant, currency: string): Promise<boolean>;
  /** Why the processor accepts no payment of this amount, such as "must end in 0 for kwd". null when it does. */
  refusedAmount(amountMinor: MinorUnits, currency: string): string | null;
  /** Returns null when there is no recurring price with this id and one fixed amount. */
  findPrice(merchant: Merchant, priceId: string): Promise<Price | null>;
  /** Returns false for a deleted customer. */
  hasCustomer(merchant: Merchant, customerId: string): Promise<boolean>;
  hasDiscount(merchant: Merchant, discount: Discount): Promise<boolean>;
  /** The amount of the first payment after a discount. Absent when only the opened payment has the amount. */
  afterDiscount?(amountMinor: MinorUnits, currency: string, discount: Discount): MinorUnits;
  /**
   * Creates a customer for a subscription, or returns the existing one for the same key. Receipts go to `email`, if
   * given.
   */
  createCustomer(merchant: Merchant, key: string, details: CustomerDetails): Promise<string>;
  /** Creates the payment at the processor, or returns the existing one. The payer can pay only after this call. */
  open(merchant: Merchant, order: Order): Promise<OrderRefs & { field: PaymentField }>;
  look(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome>;
  /** Cancels an unpaid order. Returns the outcome, because the payer may have been faster. */
  cancel(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome>;
  /** Present on processors that report refunds and disputes: all of a payment. */
  reversals?(merchant: Merchant, paymentIntentId: string): Promise<Reversal[]>;
  /** For processors with a secondary rail: returns the id of an order there, before the order is opened. */
  secondaryRequestId?(merchant: Merchant, order: Pick<Order, "key" | "mode">): string;
  /** Present on processors that accept test cards. */
  testCards?: TestCards;
  /** Present on processors whose accounts connect by OAuth. */
  connect?: ConnectFlow;
  /** The name of the missing setting that `receive` requires. null when none is missing. */
  missingForWebhooks?(): string | null;
  /** Reads a webhook. Throws SignatureRefused. */
  receive?(headers: Headers, text: string): Promise<ProcessorWebhook>;
}

interface TestCards {
  /** Whether a name is one of the test cards. */
  has(card: string): boolean;
  pay(merchant: Merchant, refs: OrderRefs, card: string): Promise<Attempt>;
  /** Completes the authentication that a card required. `agreed` is the payer's answer. */
  answerStep(merchant: Merchant, refs: OrderRefs, agreed: boolean): Promise<Attempt>;
}

export interface ConnectFlow {
  /** The URL of the processor's consent page. `state` is returned to `returnUrl`. */
  authorizeUrl(state: string, returnUrl: string): string;
  /**
   * Exchanges the returned code for the connected account. Returns null for a code that was used, has expired, or was
   * never issued.
   */
  finish(code: string): Promise<{ merchantId: string; canCharge: boolean; isLive: boolean } | null>;
  /** Allows wallets such as Apple Pay on pages of this host. Idempotent. */
  registerHost(merchantId: string, host: string): Promise<void>;
  /** Returns whether the merchant may currently charge through Trunkline. */
  canCharge(merchantId: string): Promise<boolean>;
  /** Also succeeds when the merchant has already disconnected Trunkline. */
  disconnect(merchantId: string): Promise<void>;
}
