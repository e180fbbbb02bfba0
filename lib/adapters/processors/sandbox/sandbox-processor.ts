import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { refusedAmount } from "@/lib/adapters/processors/card-amounts";
import type { Discount, Merchant, Order, OrderRefs, Processor } from "@/lib/adapters/processors/processor";
import {
  attemptOrder,
  cancelOrder,
  findOrder,
  outcomeOf,
} from "@/lib/adapters/processors/sandbox/sandbox-orders";
import { isTestCard, TEST_CARDS } from "@/lib/adapters/processors/sandbox/test-cards";
import {
  TEST_CURRENCIES,
  TEST_CUSTOMERS,
  TEST_DISCOUNTS,
  TEST_PRICES,
} from "@/lib/adapters/processors/sandbox/test-catalog";
import { isSignedText, sha256, signText } from "@/lib/platform/crypto/crypto";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { afterPercentOff, type MinorUnits, minorUnits } from "@/lib/platform/text/money";
import { now } from "@/lib/platform/time/clock";

const ID_BYTES = 12;
const CUSTOMER_PREFIX = "cus_test_";
const CUSTOMER_PURPOSE = "sandbox customer";

/**
 * Trunkline's processor for sandbox accounts. It simulates all payment behavior and moves no money. Its state is in
 * PostgreSQL.
 */
export const sandboxProcessor: Processor = {
  name: "sandbox",
  refusal: (accountType) =>
    accountType === "production"
      ? "the sandbox processor does not support production accounts: connect a card processor"
      : null,
  acceptsCurrency: async (_merchant, currency) => TEST_CURRENCIES.has(currency),
  // A request that works in a sandbox works in production.
  refusedAmount,
  findPrice: async (_merchant, priceId) => TEST_PRICES.get(priceId) ?? null,
  hasCustomer,
  hasDiscount: async (_merchant, discount) => percentOff(discount) !== null,
  afterDiscount,
  createCustomer,
  secondaryRequestId: orderId,
  open,
  look: async (merchant, refs) => outcomeOf(await findOrder(merchant, refs)),
  async cancel(merchant, refs) {
    await cancelOrder(merchant, refs);
    return outcomeOf(await findOrder(merchant, refs));
  },
  testCards: {
    has: isTestCard,
    async pay(merchant, refs, card) {
      if (!isTestCard(card)) throw new AdapterError("rejected", `there is no test card "${card}"`);
      const from = ["open", "needs_step"] as const;
      return attemptOrder(merchant, refs, { card, from: [...from], becomes: TEST_CARDS[card].attempt });
    },
    answerStep: (merchant, refs, agreed) =>
      attemptOrder(merchant, refs, {
        card: null,
        from: ["needs_step"],
        becomes: agreed ? "paid" : "declined",
      }),
  },
};

// A customer's id contains its signature, so no row is needed.
async function createCustomer(merchant: Merchant, key: string): Promise<string> {
  const id = idOf(CUSTOMER_PREFIX, merchant, key);
  return `${id}_${signText(CUSTOMER_PURPOSE, id + merchant.accountId)}`;
}

async function hasCustomer(merchant: Merchant, customerId: string): Promise<boolean> {
  if (TEST_CUSTOMERS.has(customerId)) return true;
  const idLength = CUSTOMER_PREFIX.length + ID_BYTES * 2;
  const id = customerId.slice(0, idLength);
  return isSignedText(CUSTOMER_PURPOSE, id + merchant.accountId, customerId.slice(idLength + 1));
}

const SANDBOX_OPEN = statement(
  "sandbox-open",
  `insert into sandbox_orders
    (account_id, id, key, amount_minor, currency, customer_id, metadata, created_at)
  values (:accountId, :id, :orderKey, :firstPayment, :currency, :customerId, :metadata, :now)
  on conflict do nothing`,
);

async function open(merchant: Merchant, order: Order) {
  const isSubscription = order.mode === "subscription";
  const id = orderId(merchant, order);
  await sql.run(SANDBOX_OPEN, {
    accountId: merchant.accountId,
    id,
    orderKey: order.key,
    firstPayment: firstPayment(order),
    currency: order.currency,
    customerId: order.customerId,
    metadata: JSON.stringify(order.metadata),
    now: now(),
  });
  const refs: OrderRefs = {
    paymentIntentId: isSubscription ? null : id,
    subscriptionId: isSubscription ? id : null,
  };
  return { ...refs, field: { kind: "test_cards" as const } };
}

function orderId(merchant: Merchant, { mode, key }: Pick<Order, "key" | "mode">): string {
  return idOf(mode === "subscription" ? "sub_test_" : "pi_test_", merchant, key);
}

function firstPayment({ amountMinor, currency, trialEnd, discount }: Order): MinorUnits {
  if (trialEnd !== null) return minorUnits(0, currency);
  return discount === null ? amountMinor : afterDiscount(amountMinor, currency, discount);
}

function afterDiscount(amountMinor: MinorUnits, currency: string, discount: Discount): MinorUnits {
  return afterPercentOff(amountMinor, currency, percentOff(discount) ?? 0);
}

function percentOff({ coupon, promotion_code }: Discount): number | null {
  return TEST_DISCOUNTS.get(coupon ?? promotion_code ?? "") ?? null;
}

function idOf(prefix: string, merchant: Merchant, key: string): string {
  const digest = sha256(`${prefix}${merchant.accountId}/${key}`);
  return prefix + digest.subarray(0, ID_BYTES).toString("hex");
}
