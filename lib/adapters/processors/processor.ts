import "server-only";
import type { MinorUnits } from "@/lib/platform/money";

/** The partner's own account at a processor: funds settle there. */
export interface Merchant {
  accountId: string;
  merchantId: string;
}

/** A recurring price as it stands at the processor. */
export interface Price {
  isActive: boolean;
  currency: string;
  /** Of one unit per interval. */
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

/** The content of a payment. */
export interface Order extends OrderRefs {
  /** The request's id: opened twice, one payment. */
  key: string;
  mode: "payment" | "subscription";
  /** Once, or per interval. */
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

/** The processor's final outcome: paid or canceled. */
export type OrderOutcome =
  /** Or what the processor let die unpaid, with the order still wanted: `open` makes it anew. */
  | { type: "open" }
  /** The payer has paid, and whether the money comes is not known yet. It can no longer be canceled. */
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

/** A payer's attempt that did not pay: declined, with the processor's reason, or an authentication was requested. */
export interface PayerFact {
  type: "declined" | "challenged";
  /** Such as insufficient_funds; null when the processor gave none. */
  reason: string | null;
}

/** A notification from a processor: about a payment, or that the account's ability to charge may have changed. */
export type ProcessorEvent =
  | { about: "order"; merchantId: string; refs: OrderRefs; fact?: PayerFact }
  | { about: "merchant"; merchantId: string };

/** A webhook of a processor whose signature was right. */
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
  /** Why an account of this type cannot be paid through it, as things are set up now; null when it can. */
  refusal(accountType: "sandbox" | "production"): string | null;
  acceptsCurrency(merchant: Merchant, currency: string): Promise<boolean>;
  /** null when there is no such recurring price of one fixed amount. */
  findPrice(merchant: Merchant, priceId: string): Promise<Price | null>;
  /** False for a deleted one. */
  hasCustomer(merchant: Merchant, customerId: string): Promise<boolean>;
  hasDiscount(merchant: Merchant, discount: Discount): Promise<boolean>;
  /** The first payment after a discount. Absent when only the opened payment has the amount. */
  afterDiscount?(amountMinor: MinorUnits, currency: string, discount: Discount): MinorUnits;
  /** A customer for a subscription; the same for the same key. Its receipts go to `email`, where one was given. */
  createCustomer(merchant: Merchant, key: string, details: CustomerDetails): Promise<string>;
  /** Creates the payment at the processor, or returns the existing one. The payer can pay only after this call. */
  open(merchant: Merchant, order: Order): Promise<OrderRefs & { field: PaymentField }>;
  look(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome>;
  /** Cancels unless it was paid, and says which of the two won. */
  cancel(merchant: Merchant, refs: OrderRefs): Promise<OrderOutcome>;
  /** Of processors with a secondary rail: what an order is called there, known before it is opened. */
  secondaryRequestId?(merchant: Merchant, order: Pick<Order, "key" | "mode">): string;
  /** Of processors that are paid with test cards. */
  testCards?: TestCards;
  /** Of processors whose accounts are connected by OAuth. */
  connect?: ConnectFlow;
  /** The name of the missing setting that `receive` requires. null when none is missing. */
  missingForWebhooks?(): string | null;
  /** Reads a webhook. Throws SignatureRefused. */
  receive?(headers: Headers, text: string): Promise<ProcessorWebhook>;
}

interface TestCards {
  pay(merchant: Merchant, refs: OrderRefs, card: string): Promise<Attempt>;
  /** The second step a card asked for: the payer agreed, or not. */
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
  /** Lets wallets such as Apple Pay be used on pages of this host; as often as one likes. */
  registerHost(merchantId: string, host: string): Promise<void>;
  /** Whether the merchant may charge, through us, as it is now. */
  canCharge(merchantId: string): Promise<boolean>;
  /** Done, too, when the merchant has disconnected us before. */
  disconnect(merchantId: string): Promise<void>;
}
