import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { describeProcessor, type ProcessorBench } from "@/lib/adapters/processors/conformance";
import type { Merchant, Order, OrderRefs } from "@/lib/adapters/processors/processor";
import { stripeProcessor } from "@/lib/adapters/processors/stripe/stripe-processor";
import { minorUnits } from "@/lib/platform/text/money";
import { connectFakeStripe, seedFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, signedEvent, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { confirmAtStripe, settleAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";

let fake: FakeStripe;
const merchant: Merchant = { accountId: "unused", merchantId: "acct_one" };
const order: Order = {
  key: "request-1",
  mode: "payment",
  amountMinor: minorUnits(1250, "usd"),
  currency: "usd",
  paymentIntentId: null,
  subscriptionId: null,
  customerId: null,
  priceId: null,
  quantity: 1,
  trialEnd: null,
  discount: null,
  description: null,
  receiptEmail: null,
  metadata: { order: "7" },
};

const NO_DETAILS = { email: null, metadata: {} };

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  seedFakeStripe(fake.books, "acct_one");
  seedFakeStripe(fake.books, "acct_two");
});

afterAll(() => fake.close());

async function confirm(refs: OrderRefs, card: "succeeds" | "declined" | "processing"): Promise<void> {
  const found = [...fake.books.intents.values(), ...fake.books.setups.values()].find(
    ({ id }) => id === (refs.paymentIntentId ?? secretOwner(refs.subscriptionId ?? "")),
  );
  await confirmAtStripe(fake.books, found?.client_secret ?? "", card);
}

function secretOwner(subscriptionId: string): string {
  const subscription = [...fake.books.subscriptions.values()].find(({ id }) => id === subscriptionId);
  const invoice = subscription?.latest_invoice;
  return subscription?.pending_setup_intent?.id ?? invoice?.payments.data[0]?.payment.payment_intent ?? "";
}

describeProcessor(
  (): ProcessorBench => ({
    processor: stripeProcessor,
    merchant,
    stranger: { accountId: "unused", merchantId: "acct_two" },
    priceId: "price_monthly",
    customerId: "cus_ada",
    deletedCustomerId: "cus_deleted",
    coupon: "half",
    pay: (_, refs) => confirm(refs, "succeeds"),
    payInVain: (_, refs) => confirm(refs, "declined").catch(() => undefined),
    paySlowly: (_, refs) => confirm(refs, "processing"),
    settleSlow: (_, refs) => settleAtStripe(fake.books, refs.paymentIntentId ?? ""),
  }),
);

test("metadata is stamped on what we make, never on a customer that was passed", async () => {
  await stripeProcessor.open(merchant, { ...order, key: "stamped", customerId: "cus_ada" });
  expect([...fake.books.intents.values()].at(-1)?.metadata).toEqual({ order: "7" });
  expect(fake.books.customers.get("acct_one/cus_ada")?.metadata).toEqual({});
});

test("a subscription that died is made anew, and only then", async () => {
  const customerId = await stripeProcessor.createCustomer(merchant, "dying", NO_DETAILS);
  const plan = {
    ...order,
    key: "dying",
    mode: "subscription" as const,
    priceId: "price_monthly",
    customerId,
  };
  const first = await stripeProcessor.open(merchant, plan);
  expect((await stripeProcessor.open(merchant, { ...plan, ...first })).subscriptionId).toBe(
    first.subscriptionId,
  );
  const stored = fake.books.subscriptions.get(`acct_one/${first.subscriptionId}`);
  if (stored !== undefined) stored.status = "incomplete_expired";
  const second = await stripeProcessor.open(merchant, { ...plan, ...first });
  expect(second.subscriptionId).not.toBe(first.subscriptionId);
});

describe("a cancel of a trial that fails half way", () => {
  async function failHalfWay(key: string) {
    const customerId = await stripeProcessor.createCustomer(merchant, key, NO_DETAILS);
    const trialEnd = new Date(Date.now() + 7 * 86_400_000);
    const plan = {
      ...order,
      key,
      mode: "subscription" as const,
      priceId: "price_monthly",
      customerId,
      trialEnd,
    };
    const refs = await stripeProcessor.open(merchant, plan);
    const stored = fake.books.subscriptions.get(`acct_one/${refs.subscriptionId}`);
    fake.breaksAt = "DELETE /v1/subscriptions";
    await expect(stripeProcessor.cancel(merchant, refs)).rejects.toThrow();
    fake.breaksAt = null;
    expect([stored?.status, stored?.pending_setup_intent?.status]).toEqual(["trialing", "canceled"]);
    return { refs, stored };
  }

  test("is finished by the next one, and no payer was counted as paying", async () => {
    const { refs, stored } = await failHalfWay("half-way");
    expect(await stripeProcessor.look(merchant, refs)).toEqual({ type: "open" });
    expect(await stripeProcessor.cancel(merchant, refs)).toEqual({ type: "canceled" });
    expect(stored?.status).toBe("canceled");
  });

  test("is finished as well when Stripe no longer shows what was canceled", async () => {
    const { refs, stored } = await failHalfWay("half-way and gone");
    if (stored !== undefined) stored.pending_setup_intent = null;
    expect(await stripeProcessor.look(merchant, refs)).toEqual({ type: "open" });
    expect(await stripeProcessor.cancel(merchant, refs)).toEqual({ type: "canceled" });
  });
});

test("a trial whose method Stripe keeps with the customer alone is paid", async () => {
  const customerId = await stripeProcessor.createCustomer(merchant, "kept", NO_DETAILS);
  const trialEnd = new Date(Date.now() + 7 * 86_400_000);
  const plan = { ...order, key: "kept", mode: "subscription" as const, priceId: "price_monthly" };
  const refs = await stripeProcessor.open(merchant, { ...plan, customerId, trialEnd });
  await confirm(refs, "succeeds");
  const stored = fake.books.subscriptions.get(`acct_one/${refs.subscriptionId}`);
  if (stored !== undefined) stored.default_payment_method = null;
  expect(await stripeProcessor.look(merchant, refs)).toMatchObject({ type: "paid", chargedMinor: 0 });
});

test("a trial that was just collected is not undone by opening it again", async () => {
  const customerId = await stripeProcessor.createCustomer(merchant, "again", NO_DETAILS);
  const trialEnd = new Date(Date.now() + 7 * 86_400_000);
  const plan = {
    ...order,
    key: "again",
    mode: "subscription" as const,
    priceId: "price_monthly",
    customerId,
    trialEnd,
  };
  const refs = await stripeProcessor.open(merchant, plan);
  await confirm(refs, "succeeds");
  await expect(stripeProcessor.open(merchant, { ...plan, ...refs })).rejects.toThrow("nothing to collect");
  expect(await stripeProcessor.look(merchant, refs)).toMatchObject({ type: "paid" });
});

test.each([
  ["unreachable", "not_reachable"],
  ["down", "unknown_outcome"],
  ["slow", "unknown_outcome"],
  ["garbage", "unknown_outcome"],
  ["broken", "unknown_outcome"],
  ["refusing", "rejected"],
] as const)("a Stripe that is %s is %s", async (mode, kind) => {
  setStripeMode(fake, mode);
  const failure = await failureOf(stripeProcessor.open(merchant, { ...order, key: mode }));
  expect(failure).toBeInstanceOf(AdapterError);
  expect(failure).toMatchObject({ kind });
  setStripeMode(fake, "well");
});

test("a webhook is read only with a right, fresh signature", async () => {
  const { body, headers } = signedEvent({
    id: "evt_1",
    object: "event",
    account: "acct_one",
    type: "account.updated",
    data: { object: { id: "acct_one", charges_enabled: true } },
  });
  expect(await stripeProcessor.receive?.(new Headers(headers), body)).toEqual({
    eventId: "evt_1",
    notice: { about: "merchant", merchantId: "acct_one" },
  });
  await expect(
    stripeProcessor.receive?.(new Headers(headers), body.replace("acct_one", "acct_two")),
  ).rejects.toThrow();
  await expect(stripeProcessor.receive?.(new Headers(), body)).rejects.toThrow();
});

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}
