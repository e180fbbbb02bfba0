import type { FakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { fakeStripeEnv } from "@/lib/testing/stripe/fake-stripe-env";
import type { FakeStripeState } from "@/lib/testing/stripe/fake-stripe-state";

/** A busy machine is not a slow Stripe. */
const TIMEOUT_SECONDS = "20";
const SLOW_TIMEOUT_SECONDS = "0.5";
/** Nothing listens at the port of tcpmux. */
const UNREACHABLE = "http://127.0.0.1:1";

/** Configures this process to use the fake Stripe. Call it before anything reads the configuration. */
export function connectFakeStripe({ url }: FakeStripe, how?: { isLive: boolean }): void {
  Object.assign(process.env, fakeStripeEnv(url, how), { STRIPE_TIMEOUT_SECONDS: TIMEOUT_SECONDS });
}

/** Changes how the connected fake responds. Requests to a slow Stripe time out soon. */
export function setStripeMode(fake: FakeStripe, mode: FakeStripe["mode"]): void {
  fake.mode = mode;
  const isSlow = mode === "slow";
  Object.assign(process.env, {
    STRIPE_TIMEOUT_SECONDS: isSlow ? SLOW_TIMEOUT_SECONDS : TIMEOUT_SECONDS,
    // The same server at another URL: the Stripe client keeps its time limit until the URL changes.
    STRIPE_API_URL: mode === "unreachable" ? UNREACHABLE : isSlow ? `${fake.url}/` : fake.url,
  });
}

/** Adds an account to the fake that can charge, with a price, customers, a coupon and the OAuth code "code_<id>". */
export function seedFakeStripe(books: FakeStripeState, account: string): void {
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
  books.customers.set(`${account}/cus_deleted`, { id: "cus_deleted", object: "customer", deleted: true });
  books.coupons.set(`${account}/half`, { id: "half", object: "coupon", valid: true, percent_off: 50 });
}
