import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { refusedAmount } from "@/lib/adapters/processors/card-amounts";
import type {
  CustomerDetails,
  Discount,
  Merchant,
  Price,
  Processor,
} from "@/lib/adapters/processors/processor";
import {
  callStripe,
  callStripeOAuth,
  convertEvent,
  createAtStripe,
  findAtStripe,
  findKeyModeError,
  missingForWebhooks,
  readStripeEvent,
  stripeApi,
  stripeSetting,
} from "@/lib/adapters/processors/stripe/stripe-api";
import { openPayment, openSubscription } from "@/lib/adapters/processors/stripe/stripe-orders";
import { cancelAtStripe, fetchOrderOutcome } from "@/lib/adapters/processors/stripe/stripe-outcome";
import { toProcessorEvent } from "@/lib/adapters/processors/stripe/stripe-processor-event";
import { fetchReversals } from "@/lib/adapters/processors/stripe/stripe-reversals";
import { env } from "@/lib/platform/env";
import { minorUnits } from "@/lib/platform/text/money";

const INTERVALS: readonly Price["interval"][] = ["day", "week", "month", "year"];

/** Stripe, with direct charges on the partner's own account: funds never pass through the platform's account. */
export const stripeProcessor: Processor = {
  name: "stripe",
  refusal: findKeyModeError,
  acceptsCurrency,
  refusedAmount,
  findPrice,
  hasCustomer,
  hasDiscount,
  createCustomer,
  open: (merchant, order) =>
    order.mode === "payment" ? openPayment(merchant, order) : openSubscription(merchant, order),
  look: fetchOrderOutcome,
  cancel: cancelAtStripe,
  reversals: fetchReversals,
  connect: { authorizeUrl, finish: finishConnect, registerHost, canCharge, disconnect },
  missingForWebhooks,
  receive,
};

async function acceptsCurrency({ merchantId }: Merchant, currency: string): Promise<boolean> {
  const account = await callStripe(stripeApi().accounts.retrieve(merchantId));
  const specs = await callStripe(stripeApi().countrySpecs.retrieve(account.country ?? "US"));
  return specs.supported_payment_currencies.includes(currency);
}

async function findPrice({ merchantId }: Merchant, priceId: string): Promise<Price | null> {
  const price = await findAtStripe(stripeApi().prices.retrieve(priceId, {}, { stripeAccount: merchantId }));
  // Tiered prices and fractions of a cent have no single amount to show.
  if (price === null || price.recurring === null || price.unit_amount === null) return null;
  const { interval: every, interval_count: intervalCount } = price.recurring;
  const interval = INTERVALS.find((each) => each === every);
  if (interval === undefined) return null;
  const { active: isActive, currency } = price;
  const unitAmountMinor = minorUnits(price.unit_amount, currency);
  return { isActive, currency, unitAmountMinor, interval, intervalCount };
}

async function hasCustomer({ merchantId }: Merchant, customerId: string): Promise<boolean> {
  const customer = await findAtStripe(
    stripeApi().customers.retrieve(customerId, {}, { stripeAccount: merchantId }),
  );
  return customer !== null && customer.deleted !== true;
}

async function hasDiscount({ merchantId }: Merchant, discount: Discount): Promise<boolean> {
  const options = { stripeAccount: merchantId };
  if (discount.coupon !== undefined) {
    const coupon = await findAtStripe(stripeApi().coupons.retrieve(discount.coupon, {}, options));
    return coupon?.valid === true;
  }
  const code = await findAtStripe(
    stripeApi().promotionCodes.retrieve(discount.promotion_code ?? "", {}, options),
  );
  return code?.active === true;
}

async function createCustomer(
  { merchantId }: Merchant,
  key: string,
  { email, metadata }: CustomerDetails,
): Promise<string> {
  const details = email === null ? { metadata } : { email, metadata };
  const customer = await createAtStripe(`customer:${key}`, (options) =>
    stripeApi().customers.create(details, { stripeAccount: merchantId, ...options }),
  );
  return customer.id;
}

function authorizeUrl(state: string, returnUrl: string): string {
  const url = stripeApi().oauth.authorizeUrl({
    client_id: stripeSetting("STRIPE_CLIENT_ID"),
    response_type: "code",
    scope: "read_write",
    redirect_uri: returnUrl,
    state,
  });
  // For a stand-in of Stripe's API, the SDK's URL lacks the port and assumes TLS.
  const { STRIPE_API_URL: standIn } = env();
  return standIn === undefined ? url : new URL(`/oauth/authorize${new URL(url).search}`, standIn).href;
}

async function finishConnect(code: string) {
  const asked = stripeApi().oauth.token({ grant_type: "authorization_code", code });
  const token = await callStripeOAuth("StripeInvalidGrantError", asked);
  if (token === null) return null;
  const merchantId = token.stripe_user_id ?? "";
  const account = await callStripe(stripeApi().accounts.retrieve(merchantId));
  return { merchantId, canCharge: account.charges_enabled, isLive: token.livemode === true };
}

async function registerHost(merchantId: string, host: string): Promise<void> {
  const domains = stripeApi().paymentMethodDomains;
  await callStripe(domains.create({ domain_name: host }, { stripeAccount: merchantId }));
}

async function canCharge(merchantId: string): Promise<boolean> {
  const account = await findAtStripe(stripeApi().accounts.retrieve(merchantId));
  return account?.charges_enabled === true;
}

// Stripe returns the same error for an account that already disconnected Trunkline, which counts as success, and for
// another platform's client id.
async function disconnect(merchantId: string): Promise<void> {
  const client_id = stripeSetting("STRIPE_CLIENT_ID");
  const asked = stripeApi().oauth.deauthorize({ client_id, stripe_user_id: merchantId });
  if ((await callStripeOAuth("StripeInvalidClientError", asked)) !== null) return;
  if ((await findAtStripe(stripeApi().accounts.retrieve(merchantId))) === null) return;
  throw new AdapterError(
    "rejected",
    "the account is still connected: STRIPE_CLIENT_ID and STRIPE_SECRET_KEY belong to different Stripe accounts",
  );
}

async function receive(headers: Headers, text: string) {
  const event = readStripeEvent(headers, text, [stripeSetting("STRIPE_WEBHOOK_SECRET")]);
  return { eventId: event.id, notice: await convertEvent(() => toProcessorEvent(event)) };
}
