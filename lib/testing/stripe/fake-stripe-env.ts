export const FAKE_WEBHOOK_SECRET = "whsec_fake";
/** The signing secret of the endpoint that approves charges. */
export const FAKE_DECISION_SECRET = "whsec_fake_decisions";

/** The configuration of an instance that uses a fake Stripe at this URL. */
export function fakeStripeEnv(url: string, { isLive = false } = {}): Record<string, string> {
  return {
    STRIPE_SECRET_KEY: isLive ? "sk_live_fake" : "sk_test_fake",
    STRIPE_PUBLISHABLE_KEY: "pk_test_fake",
    STRIPE_CLIENT_ID: "ca_fake",
    STRIPE_WEBHOOK_SECRET: FAKE_WEBHOOK_SECRET,
    STRIPE_ISSUING_WEBHOOK_SECRETS: `${FAKE_DECISION_SECRET},${FAKE_WEBHOOK_SECRET}`,
    STRIPE_API_URL: url,
  };
}
