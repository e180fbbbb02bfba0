import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import type { TestAccount } from "@/lib/testing/create-test-account";
import { connectCustomer } from "@/lib/testing/payments/connect-customer";
import { approve, makePasskey } from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";
import type { FakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { completeSetup } from "@/lib/testing/stripe/fake-stripe-issuing";

/** Sets an account up at Stripe Issuing as its admin does. Returns Stripe's account id. */
export async function connectIssuing(account: TestAccount, fake: FakeStripe): Promise<string> {
  const { status, body } = await callApi("POST /v3/payments/providers/stripe_issuing/connect", {
    token: account.token,
    body: { return_url: "https://example.com/back?x=1" },
  });
  if (status !== 200) throw new Error(`connect answered ${JSON.stringify(body)}`);
  const merchantId = body.hosted_url.split("/").at(-1);
  await completeSetup(fake.books, merchantId, "active");
  return merchantId;
}

let customers = 0;

/**
 * Creates a customer who has given consent. Only sandbox accounts have simulated phones, so a production account gets
 * the state after the code was entered.
 */
async function createConsent(account: TestAccount): Promise<string> {
  if (account.ref.type === "sandbox") return connectCustomer(account);
  const handle = `+1666${String(7_000_000 + ++customers)}`;
  await sql.runText({
    text: `insert into handle_connections
             (account_id, provider, handle, status, connected_at, codes_sent, codes_since, created_at, updated_at)
           values ($1, 'stripe_issuing', $2, 'connected', $3, 1, $3, $3, $3)`,
    values: [account.ref.id, handle, now()],
  });
  return handle;
}

/** Creates a customer whose first payment was approved. The customer has no card, because the partner pays. */
export async function createIssuedPayer(account: TestAccount): Promise<string> {
  const handle = await createConsent(account);
  const authenticator = createAuthenticator();
  const pay = async () =>
    (
      await callApi("POST /v3/payments", {
        token: account.token,
        body: { amount_cents: 1, currency: "usd", handle },
      })
    ).body;
  await makePasskey((await pay()).attach_url, authenticator);
  const { body } = await approve((await pay()).approval_url, authenticator);
  if (body.status !== "ready") throw new Error(`approve answered ${JSON.stringify(body)}`);
  return handle;
}

/** An issued card with the data that an agent receives. */
export interface IssuedCard {
  number: string;
  cvc: string;
  userToken: string;
}

/** Fetches the card of a ready payment from Stripe, as an agent does. */
export async function fetchIssuedCard(account: TestAccount, paymentId: string): Promise<IssuedCard> {
  const { body } = await callApi(`GET /v3/payments/${paymentId}/credentials`, { token: account.token });
  const { fetch_url, user_token } = body.handoff;
  const answer = await fetch(fetch_url, { headers: { authorization: `Bearer ${user_token}` } });
  const { number, cvc } = await answer.json();
  return { number, cvc, userToken: user_token };
}
