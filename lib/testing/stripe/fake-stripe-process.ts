import { seedFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { fakeStripeEnv } from "@/lib/testing/stripe/fake-stripe-env";

/**
 * A fake Stripe in its own process: on PORT, for the instance at INSTANCE_URL. One account is ready to be connected.
 */
const { PORT = "12111", INSTANCE_URL = "http://localhost:3000" } = process.env;

const fake = await startFakeStripe(Number(PORT));
fake.webhookUrl = `${INSTANCE_URL}/inbound/stripe`;
fake.issuingUrl = `${INSTANCE_URL}/inbound/stripe/issuing`;
seedFakeStripe(fake.books, "acct_fake");

const settings = Object.entries(fakeStripeEnv(fake.url)).map(([name, value]) => `${name}=${value}`);
process.stdout.write(`A fake Stripe is at ${fake.url}. Start the instance with:\n${settings.join(" ")}\n`);
