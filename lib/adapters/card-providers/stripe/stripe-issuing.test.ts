import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { describeCardProvider } from "@/lib/adapters/card-providers/conformance";
import { cardholderName } from "@/lib/adapters/card-providers/stripe/issuing-account";
import { stripeIssuing } from "@/lib/adapters/card-providers/stripe/stripe-issuing";
import { SignatureRefused } from "@/lib/adapters/signature-refused";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { minorUnits } from "@/lib/platform/text/money";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { connectFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { eventOf, type FakeStripe, signedEvent, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { FAKE_DECISION_SECRET } from "@/lib/testing/stripe/fake-stripe-env";
import { completeSetup } from "@/lib/testing/stripe/fake-stripe-issuing";
import { chargeIssuedCard } from "@/lib/testing/stripe/fake-stripe-merchant";

const uuid = () => newId(Date.now());
const ACCOUNT = uuid();
let fake: FakeStripe;

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  await onboard(ACCOUNT);
});

afterEach(() => {
  setStripeMode(fake, "well");
});
afterAll(() => fake.close());

/** Completes the onboarding as an account's admin. Returns the id of the Stripe account. */
async function onboard(accountId: string, outcome: "active" | "review" = "active"): Promise<string> {
  const { hostedUrl } = await stripeIssuing.onboard({ accountId, sessionId: uuid() });
  const merchantId = hostedUrl.split("/").at(-1) ?? "";
  await completeSetup(fake.books, merchantId, outcome);
  await stripeIssuing.look?.(accountId);
  return merchantId;
}

const orderFor = (more: object = {}) => ({
  accountId: ACCOUNT,
  handle: "+16665550100",
  paymentId: uuid(),
  amountMinor: minorUnits(4200, "usd"),
  currency: "usd",
  merchant: { name: "Harbor Kitchen", url: null },
  ...more,
});

async function fetchCard(fetchUrl: string, userToken: string) {
  const answer = await fetch(fetchUrl, { headers: { authorization: `Bearer ${userToken}` } });
  return answer.ok ? answer.json() : null;
}

async function numberOf(cardRef: string) {
  const { fetchUrl, userToken } = await stripeIssuing.handoff(ACCOUNT, cardRef);
  return fetchCard(fetchUrl, userToken);
}

describe("as every provider", () => {
  describeCardProvider(() => ({
    provider: stripeIssuing,
    newCustomer: () => ({ accountId: ACCOUNT, handle: "+16665550100" }),
    newPaymentId: uuid,
    attach: async () => undefined,
    fetchCard,
  }));
});

describe("an account", () => {
  test("says what Stripe still asks for until it may issue cards", async () => {
    const accountId = uuid();
    const { hostedUrl } = await stripeIssuing.onboard({ accountId, sessionId: uuid() });
    expect(await stripeIssuing.look?.(accountId)).toEqual({
      isReady: false,
      missing: ["company.tax_id", "tos_acceptance.date"],
    });
    await expect(stripeIssuing.mint(orderFor({ accountId }))).rejects.toMatchObject({ kind: "rejected" });

    const merchantId = hostedUrl.split("/").at(-1) ?? "";
    await completeSetup(fake.books, merchantId, "review");
    expect((await stripeIssuing.look?.(accountId))?.isReady).toBe(false);
    expect(await stripeIssuing.missing(accountId)).toEqual(["card_issuing: under review"]);
    await completeSetup(fake.books, merchantId, "active");
    expect(await stripeIssuing.look?.(accountId)).toEqual({ isReady: true, missing: [] });
    await stripeIssuing.look?.(accountId);
    const holders = [...fake.books.issuing.cardholders].filter(([key]) => key.startsWith(merchantId));
    expect(holders.map(([, { name }]) => name)).toEqual(["Ada Sons Catering"]);
  });

  test("lists the later of two reads at once, also when the earlier one is stored last", async () => {
    const accountId = uuid();
    const account = fake.books.accounts.get(await onboard(accountId, "review"));
    const ask = (...currently_due: string[]) =>
      Object.assign(account ?? {}, { requirements: { currently_due, disabled_reason: null } });
    ask("company.tax_id", "company.phone");
    const { looking } = await transaction(async (tx) => {
      const text = "update stripe_issuing_accounts set missing = $2 where account_id = $1";
      await tx.runText({ text, values: [accountId, ["company.phone"]] });
      const started = stripeIssuing.look?.(accountId);
      await untilLocked();
      ask("company.phone");
      return { looking: started };
    });
    expect(await looking).toEqual({ isReady: false, missing: ["company.phone"] });
    expect(await stripeIssuing.missing(accountId)).toEqual(["company.phone"]);
  });

  test("that is replaced during a read keeps no holder of the replaced one", async () => {
    const accountId = uuid();
    const { hostedUrl } = await stripeIssuing.onboard({ accountId, sessionId: uuid() });
    await completeSetup(fake.books, hostedUrl.split("/").at(-1) ?? "", "active");
    const { looking } = await transaction(async (tx) => {
      const text = "update stripe_issuing_accounts set merchant_id = $2 where account_id = $1";
      await tx.runText({ text, values: [accountId, `acct_${accountId}`] });
      const started = stripeIssuing.look?.(accountId);
      await untilLocked();
      return { looking: started };
    });
    await looking;
    await expect(stripeIssuing.mint(orderFor({ accountId }))).rejects.toMatchObject({ kind: "rejected" });
    expect(
      await sql.runText({
        text: "select cardholder_id from stripe_issuing_accounts where account_id = $1",
        values: [accountId],
      }),
    ).toEqual([{ cardholder_id: null }]);
  });

  test("is made once, however often it is set up at the same moment", async () => {
    for (const accountId of Array.from({ length: 40 }, uuid)) {
      const pages = await Promise.all(
        Array.from({ length: 8 }, () => stripeIssuing.onboard({ accountId, sessionId: uuid() })),
      );
      const again = await stripeIssuing.onboard({ accountId, sessionId: uuid() });
      expect(new Set([...pages, again].map(({ hostedUrl }) => hostedUrl)).size).toBe(1);
    }
  });

  test("that Stripe no longer has is made anew, with a holder of its own", async () => {
    const accountId = uuid();
    const lost = await onboard(accountId);
    fake.books.accounts.delete(lost);
    const found = await onboard(accountId);
    expect(found).not.toBe(lost);
    const { cardRef } = await stripeIssuing.mint(orderFor({ accountId }));
    expect(fake.books.issuing.cards.has(`${found}/${cardRef}`)).toBe(true);
  });

  test.each([
    ["Ada & Sons 24/7 Catering", "Ada Sons Catering"],
    ["Café Zoë", "Cafe Zoe"],
    ["A very long name of a company indeed", "A very long name of a co"],
    ["株式会社", "Agent payments"],
  ])("named %s has %s on its cards", (name, expected) => {
    expect(cardholderName(name)).toBe(expected);
  });

  test("is live for production alone, and a test account for sandboxes alone", () => {
    expect(stripeIssuing.refusal("sandbox")).toBeNull();
    expect(stripeIssuing.refusal("production")).toContain("live Stripe key");
  });
});

describe("a card", () => {
  test("takes its amount, once", async () => {
    const { cardRef } = await stripeIssuing.mint(orderFor());
    expect(fake.books.issuing.cards.get([...fake.books.issuing.cards.keys()].at(-1) ?? "")).toMatchObject({
      id: cardRef,
      spending_controls: { spending_limits: [{ amount: 4200, interval: "per_authorization" }] },
      lifecycle_controls: { cancel_after: { payment_count: 1 } },
    });
  });

  test("in a currency Stripe issues none in is refused", async () => {
    await expect(stripeIssuing.mint(orderFor({ currency: "jpy" }))).rejects.toMatchObject({
      kind: "rejected",
    });
  });

  test("its key's secret is kept nowhere, and the keys go with it", async () => {
    const { cardRef } = await stripeIssuing.mint(orderFor());
    const { userToken } = await stripeIssuing.handoff(ACCOUNT, cardRef);
    const stored = await sql.runText({ text: "select k::text as row from stripe_issuing_keys k" });
    expect(JSON.stringify(stored)).toContain(cardRef);
    expect(JSON.stringify(stored)).not.toContain(userToken);
    await stripeIssuing.close(ACCOUNT, cardRef);
    expect(fake.books.issuing.keys.has(userToken)).toBe(false);
  });

  test("that Stripe still asks about closes as charging, one that a merchant holds money of as charged", async () => {
    const { cardRef } = await stripeIssuing.mint(orderFor());
    const { number, cvc } = await numberOf(cardRef);
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    expect(bought.request_history[0]?.reason).toBe("webhook_timeout");
    expect(await stripeIssuing.close(ACCOUNT, cardRef)).toBe("closed");
    bought.pending_request = { amount: 4200, currency: "usd" };
    expect(await stripeIssuing.close(ACCOUNT, cardRef)).toBe("charging");
    Object.assign(bought, { pending_request: null, approved: true, status: "pending" });
    expect(await stripeIssuing.close(ACCOUNT, cardRef)).toBe("charged");
    bought.status = "reversed";
    expect(await stripeIssuing.close(ACCOUNT, cardRef)).toBe("closed");
  });
});

test.each([
  ["unreachable", "not_reachable"],
  ["down", "unknown_outcome"],
  ["slow", "unknown_outcome"],
  ["garbage", "unknown_outcome"],
  ["broken", "unknown_outcome"],
  ["refusing", "rejected"],
] as const)("a Stripe that is %s is %s, whatever is asked", async (mode, kind) => {
  const { cardRef } = await stripeIssuing.mint(orderFor());
  setStripeMode(fake, mode);
  const asked = await Promise.allSettled([
    stripeIssuing.onboard({ accountId: uuid(), sessionId: uuid() }),
    stripeIssuing.look?.(ACCOUNT),
    stripeIssuing.mint(orderFor()),
    stripeIssuing.findCard(ACCOUNT, uuid()),
    stripeIssuing.handoff(ACCOUNT, cardRef),
    stripeIssuing.close(ACCOUNT, cardRef),
  ]);
  for (const outcome of asked) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind } });
    expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(AdapterError);
  }
});

test("a webhook is read only with a right signature, of either endpoint, and only of a connected account", async () => {
  const accountId = uuid();
  const merchantId = await onboard(accountId);
  const authorization = {
    amount: 100,
    approved: true,
    currency: "usd",
    card: { id: "ic_1", currency: "usd" },
    merchant_data: { name: "HARBOR", url: null },
    pending_request: { amount: 100, currency: "usd" },
    status: "pending",
    transactions: [],
  };
  const read = (account: string, secret?: string) => {
    const { body, headers } = signedEvent(
      eventOf(account, "issuing_authorization.request", authorization),
      secret,
    );
    return stripeIssuing.receive?.(new Headers(headers), body);
  };
  const notice = {
    about: "request",
    request: { accountId, cardRef: "ic_1", amountMinor: 100, currency: "usd" },
  };
  expect(await read(merchantId)).toMatchObject({ notice });
  expect(await read(merchantId, FAKE_DECISION_SECRET)).toMatchObject({ notice });
  expect(await read("acct_stranger")).toMatchObject({ notice: null });
  await expect(read(merchantId, "whsec_other")).rejects.toThrow(SignatureRefused);
  await expect(stripeIssuing.receive?.(new Headers(), "{}")).rejects.toThrow(SignatureRefused);
});
