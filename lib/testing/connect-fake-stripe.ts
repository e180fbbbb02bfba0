import { FAKE_DECISION_SECRET, FAKE_WEBHOOK_SECRET, type FakeStripe } from "@/lib/testing/fake-stripe";
import type { StripeBooks } from "@/lib/testing/fake-stripe-state";

/** Sets this process up to take the fake for Stripe: before anything reads the configuration. */
export function connectFakeStripe(fake: FakeStripe, { isLive = false } = {}): void {
  process.env.STRIPE_SECRET_KEY = isLive ? "sk_live_fake" : "sk_test_fake";
  process.env.STRIPE_PUBLISHABLE_KEY = "pk_test_fake";
  process.env.STRIPE_CLIENT_ID = "ca_fake";
  process.env.STRIPE_WEBHOOK_SECRET = FAKE_WEBHOOK_SECRET;
  process.env.STRIPE_ISSUING_WEBHOOK_SECRETS = `${FAKE_DECISION_SECRET},${FAKE_WEBHOOK_SECRET}`;
  process.env.STRIPE_API_URL = fake.url;
  process.env.STRIPE_TIMEOUT_SECONDS = "0.5";
}

/** An account at the fake that can charge, with a price, customers, a coupon, and the OAuth code "code_<id>". */
export function stockBooks(books: StripeBooks, account: string): void {
  books.accounts.set(account, { id: account, object: "account", charges_enabled: true, country: "US" });
  books.codes.set(`code_${account}`, account);
  books.prices.set(`${account}/price_monthly`, {
    id: "price_monthly",
    object: "price",
    active: true,
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month", interval_count: 1 },
  });
  books.customers.set(`${account}/cus_ada`, { id: "cus_ada", object: "customer", metadata: {} });
  books.customers.set(`${account}/cus_deleted`, {
    id: "cus_deleted",
    object: "customer",
    metadata: {},
    deleted: true,
  });
  books.coupons.set(`${account}/half`, { id: "half", object: "coupon", valid: true, percent_off: 50 });
}
