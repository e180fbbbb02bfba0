import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkIssuingAccount } from "@/lib/adapters/card-providers/stripe/issuing-account";
import { stripeIssuing } from "@/lib/adapters/card-providers/stripe/stripe-issuing";
import { sweepAgentPayments } from "@/lib/payments/agent-payments/sweep-agent-payments";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { listCardProviders } from "@/lib/payments/card-providers/list-card-providers";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { startSending } from "@/lib/testing/payments/connect-customer";
import { connectIssuing, createIssuedPayer, fetchIssuedCard } from "@/lib/testing/payments/issue-cards";
import { serveApi } from "@/lib/testing/serve-api";
import { connectFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { eventOf, type FakeStripe, signedEvent, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { FAKE_DECISION_SECRET } from "@/lib/testing/stripe/fake-stripe-env";
import { completeSetup } from "@/lib/testing/stripe/fake-stripe-issuing";
import {
  captureAtMerchant,
  chargeIssuedCard,
  reverseAtMerchant,
} from "@/lib/testing/stripe/fake-stripe-merchant";

let fake: FakeStripe;
let account: TestAccount;
let handle: string;
const stops: (() => Promise<void>)[] = [];

// A production account: nothing here may depend on the sandbox.
beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake, { isLive: true });
  const server = await serveApi();
  fake.issuingUrl = `${server.baseUrl}/inbound/stripe/issuing`;
  stops.push(() => fake.close(), server.close, startSending());
  account = await createTestAccount({ type: "production" });
  await connectIssuing(account, fake);
  handle = await createIssuedPayer(account);
});

beforeEach(() => {
  setStripeMode(fake, "well");
});
afterEach(async () => {
  setClock(null);
  await sql.runText({ text: "delete from agent_pay_settings" });
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const call = (what: `${string} ${string}`, body?: unknown, by = account) =>
  callApi(what, { token: by.token, body });
const later = (minutes: number) => setClock({ offsetMs: minutes * 60_000, frozenAt: null });
const sweep = () => sweepAgentPayments(new AbortController().signal);
const statusOf = async (id: string) => (await call(`GET /v3/payments/${id}`)).body.status;
let orders = 0;

function pay(more: object = {}, key = `order-${++orders}`) {
  const body = { amount_cents: 4200, currency: "usd", handle, ...more };
  return callApi("POST /v3/payments", { token: account.token, body, headers: { "idempotency-key": key } });
}

/** Creates a payment and fetches its card as an agent would. */
async function readyCard(more: object = {}) {
  const { id } = (await pay(more)).body;
  return { id, ...(await fetchIssuedCard(account, id)) };
}

async function eventsOf(paymentId: string): Promise<string[]> {
  const rows = await sql.runText<{ type: string }>({
    text: "select type from events where account_id = $1 and data->>'id' = $2 order by seq",
    values: [account.ref.id, paymentId],
  });
  return rows.map(({ type }) => type);
}

async function cardOf(paymentId: string) {
  const cards = [...fake.books.issuing.cards.values()];
  return cards.find(({ metadata }) => metadata.trunkline_payment === paymentId);
}

describe("setting an account up", () => {
  const provider = async (of: TestAccount) =>
    (await call("GET /v3/payments/providers/stripe_issuing", undefined, of)).body;

  test("goes over Stripe's page and back, and is ready once Stripe lets it issue", async () => {
    const fresh = await createTestAccount({ type: "production" });
    expect(await provider(fresh)).toEqual({ provider: "stripe_issuing", status: "disabled" });
    const refused = await call("POST /v3/payments", { amount_cents: 1, currency: "usd", handle }, fresh);
    expect([refused.status, refused.body.error.code]).toEqual([403, 2011]);
    expect(refused.body.error.message).toContain("/v3/payments/providers/stripe_issuing/connect");

    const return_url = "https://example.com/back?x=1";
    const { body } = await call("POST /v3/payments/providers/stripe_issuing/connect", { return_url }, fresh);
    const back = async () => (await openPage(`/wallet/provider/return?session=${body.session_id}`)).response;
    const expected = (status: string) =>
      `https://example.com/back?x=1&session_id=${body.session_id}&status=${status}`;
    expect((await back()).headers.get("location")).toBe(expected("onboarding"));
    const merchantId = body.hosted_url.split("/").at(-1);
    await completeSetup(fake.books, merchantId, "review");
    expect((await provider(fresh)).status).toBe("onboarding");
    await completeSetup(fake.books, merchantId, "active");
    expect((await provider(fresh)).status).toBe("ready");
    expect((await back()).headers.get("location")).toBe(expected("ready"));

    const again = await openPage(`/wallet/provider/refresh?session=${body.session_id}`);
    expect(again.response.headers.get("location")).toBe(body.hosted_url);
    expect((await openPage("/wallet/provider/return?session=unknown")).response.status).toBe(404);
  });

  test("ends when Stripe no longer lets it, and when people disable it", async () => {
    const fresh = await createTestAccount({ type: "production" });
    const merchantId = await connectIssuing(fresh, fake);
    expect((await provider(fresh)).status).toBe("ready");
    await completeSetup(fake.books, merchantId, "review");
    expect((await provider(fresh)).status).toBe("onboarding");
    await sql.runText({
      text: "update card_provider_accounts set status = 'disabled' where account_id = $1",
      values: [fresh.ref.id],
    });
    await completeSetup(fake.books, merchantId, "active");
    expect((await provider(fresh)).status).toBe("disabled");
  });

  test("stores the later of two reads whose answers arrive in reverse order", async () => {
    const fresh = await createTestAccount({ type: "production" });
    const merchantId = await connectIssuing(fresh, fake);
    let isFirst = true;
    const look = async (accountId: string) => {
      const answer = await checkIssuingAccount(accountId);
      if (isFirst) {
        isFirst = false;
        await completeSetup(fake.books, merchantId, "review");
      }
      return answer;
    };
    Object.assign(stripeIssuing, { look });
    await completeSetup(fake.books, merchantId, "active");
    Object.assign(stripeIssuing, { look: checkIssuingAccount });
    expect((await provider(fresh)).status).toBe("onboarding");
  });

  test("is shown with what Stripe still asks for, and with why it cannot be had", async () => {
    const fresh = await createTestAccount({ type: "production" });
    const return_url = "https://example.com/back";
    const { body } = await call("POST /v3/payments/providers/stripe_issuing/connect", { return_url }, fresh);
    await openPage(`/wallet/provider/return?session=${body.session_id}`);
    expect(await listCardProviders(fresh.context())).toMatchObject([
      {
        provider: "stripe_issuing",
        status: "onboarding",
        refusal: null,
        missing: ["company.tax_id", "tos_acceptance.date"],
      },
    ]);
    const sandbox = await createTestAccount({ type: "sandbox" });
    expect(await listCardProviders(sandbox.context())).toMatchObject([
      { provider: "stripe_issuing", status: "disabled", refusal: expect.stringContaining("live key") },
      { provider: "servicecard", status: "ready", isUsed: true, refusal: null },
    ]);
  });

  test("is not for sandboxes while the key is a live one", async () => {
    const sandbox = await createTestAccount({ type: "sandbox" });
    const answer = await call("GET /v3/payments/providers/stripe_issuing", undefined, sandbox);
    expect([answer.status, answer.body.error.code]).toEqual([403, 2011]);
  });

  test.each([
    ["unreachable", 500, 3003],
    ["refusing", 500, 3004],
    ["garbage", 504, 3005],
    ["slow", 504, 3005],
    ["down", 504, 3005],
  ] as const)("answers for a Stripe that is %s with %d/%d and begins nothing", async (mode, status, code) => {
    const fresh = await createTestAccount({ type: "production" });
    setStripeMode(fake, mode);
    const return_url = "https://example.com/back";
    const answer = await call("POST /v3/payments/providers/stripe_issuing/connect", { return_url }, fresh);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    setStripeMode(fake, "well");
    expect((await provider(fresh)).status).toBe("disabled");
  });
});

describe("a payment in production", () => {
  test("is authorized in the merchant's moment, and succeeds with the capture; its card is closed", async () => {
    const { id, number, cvc } = await readyCard();
    expect(await statusOf(id)).toBe("ready");
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    expect(bought).toMatchObject({ approved: true, request_history: [{ reason: "webhook_approved" }] });
    expect(await statusOf(id)).toBe("authorized");
    await captureAtMerchant(fake, bought);
    expect(await statusOf(id)).toBe("succeeded");
    expect(await eventsOf(id)).toEqual(["payment.authorized"]);
    expect((await cardOf(id))?.status).toBe("canceled");
  });

  test("whose capture is reported first is authorized and succeeds", async () => {
    const { id, number, cvc } = await readyCard();
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    await sql.runText({ text: "update agent_payments set status = 'ready' where id = $1", values: [id] });
    await captureAtMerchant(fake, bought);
    expect(await statusOf(id)).toBe("succeeded");
    expect(await eventsOf(id)).toEqual(["payment.authorized", "payment.authorized"]);
  });

  test("gets one charge approved of five at once, and keeps it", async () => {
    const { id, number, cvc } = await readyCard();
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => chargeIssuedCard(fake, { number, cvc, amount: 4200 })),
    );
    expect(tries.filter(({ approved }) => approved)).toHaveLength(1);
    expect(await statusOf(id)).toBe("authorized");
  });

  test("is declined above its amount, and ends", async () => {
    const { id, number, cvc } = await readyCard();
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4201 });
    expect(bought.request_history[0]?.reason).toBe("spending_controls");
    expect(await statusOf(id)).toBe("declined");
    expect(await eventsOf(id)).toEqual(["payment.declined"]);
    expect((await cardOf(id))?.status).toBe("canceled");
  });

  test.each([
    ["in another currency", { currency: "eur" }],
    ["above its amount, whatever Stripe's controls say", { amount: 4300 }],
  ])("is not approved %s", async (_, more) => {
    const { id, number, cvc } = await readyCard();
    const card = await cardOf(id);
    if (card !== undefined) card.spending_controls.spending_limits = [];
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200, ...more });
    expect(bought.request_history[0]?.reason).toBe("webhook_declined");
    expect(await statusOf(id)).toBe("declined");
  });

  test("is approved only at its merchant, where the account allows only some", async () => {
    await updateAgentPaySettings(account.context(), { body: { merchant_allow_list: ["Harbor Kitchen"] } });
    const merchant = { name: "Harbor Kitchen" };
    const right = await readyCard({ merchant });
    const name = "SQ *HARBOR KITCH 0412";
    expect((await chargeIssuedCard(fake, { ...right, amount: 4200, merchant: name })).approved).toBe(true);
    const wrong = await readyCard({ merchant });
    expect(
      (await chargeIssuedCard(fake, { ...wrong, amount: 4200, merchant: "GIFT CARDS 24" })).approved,
    ).toBe(false);
  });

  test("outlives a mistyped code and a look at the card", async () => {
    const { id, number, cvc } = await readyCard();
    const wrong = cvc === "000" ? "001" : "000";
    expect((await chargeIssuedCard(fake, { number, cvc: wrong, amount: 4200 })).approved).toBe(false);
    expect((await chargeIssuedCard(fake, { number, cvc, amount: 0 })).approved).toBe(true);
    expect(await statusOf(id)).toBe("ready");
    expect((await chargeIssuedCard(fake, { number, cvc, amount: 4200 })).approved).toBe(true);
  });

  test("whose money the merchant gives back is declined", async () => {
    const { id, number, cvc } = await readyCard();
    await reverseAtMerchant(fake, await chargeIssuedCard(fake, { number, cvc, amount: 4200 }));
    expect(await statusOf(id)).toBe("declined");
    expect(await eventsOf(id)).toEqual(["payment.authorized", "payment.declined"]);
  });
});

describe("Stripe's webhooks", () => {
  function deliver(
    type: string,
    object: object,
    { id = crypto.randomUUID(), secret = FAKE_DECISION_SECRET } = {},
  ) {
    const [merchantId = ""] = [...fake.books.issuing.cards.keys()].at(-1)?.split("/") ?? [];
    const event = { ...eventOf(merchantId, type, object), id };
    return callApi("POST /inbound/stripe/issuing", signedEvent(event, secret));
  }

  test("a refund of a merchant is a notice, once, and the payment stays", async () => {
    const { id, number, cvc } = await readyCard();
    const { card } = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    const refund = {
      id: "ipi_1",
      object: "issuing.transaction",
      type: "refund",
      amount: 1200,
      currency: "usd",
      card: card.id,
      authorization: null,
    };
    for (let again = 0; again < 2; again++)
      expect((await deliver("issuing_transaction.created", refund, { id: "evt_refund" })).status).toBe(200);
    const notices = await sql.runText({
      text: "select title from account_notices where object_id = $1",
      values: [id],
    });
    expect(notices).toEqual([{ title: "A merchant refunded $12.00 of an agent payment" }]);
    expect(await statusOf(id)).toBe("authorized");
  });

  test.each([
    ["lost", "declined"],
    ["stolen", "declined"],
    [null, "ready"],
  ])("a card that is canceled as %s leaves its payment %s", async (cancellation_reason, status) => {
    const { id } = await readyCard();
    const card = [...fake.books.issuing.cards.values()].at(-1);
    const object = { ...card, status: "canceled", cancellation_reason };
    expect((await deliver("issuing_card.updated", object)).status).toBe(200);
    expect(await statusOf(id)).toBe(status);
  });

  function requestFor(card: Awaited<ReturnType<typeof cardOf>>, amount = 4200) {
    const pending_request = { amount, currency: "usd" };
    return { id: crypto.randomUUID(), card, pending_request, merchant_data: { name: "HARBOR", url: null } };
  }

  test("that were not signed are 403 and change nothing", async () => {
    const { id } = await readyCard();
    const request = requestFor(await cardOf(id));
    const answer = await deliver("issuing_authorization.request", request, { secret: "whsec_other" });
    expect([answer.status, answer.body.error.code]).toEqual([403, 2005]);
    expect(await statusOf(id)).toBe("ready");
  });

  test("that come again are answered the same, and another charge is refused", async () => {
    const { id } = await readyCard();
    const request = requestFor(await cardOf(id));
    const ask = (eventId: string, what = request) =>
      deliver("issuing_authorization.request", what, { id: eventId });
    const answers = await Promise.all([ask("evt_a"), ask("evt_a"), ask("evt_a")]);
    expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ approved: true }));
    expect(answers[0]?.headers.get("stripe-version")).toMatch(/^\d{4}-/);
    expect((await ask("evt_b")).body).toEqual({ approved: false });
    expect((await ask("evt_b")).body).toEqual({ approved: false });
    expect(await eventsOf(id)).toEqual(["payment.authorized"]);
  });

  test("of unknown cards are declined and stored", async () => {
    const stranger = { id: "ic_stranger", currency: "usd" };
    const asked = { ...requestFor(await cardOf("")), card: stranger };
    expect((await deliver("issuing_authorization.request", asked)).body).toEqual({ approved: false });
    const emitted = { ...asked, amount: 1, approved: true, request_history: [], status: "pending" };
    expect((await deliver("issuing_authorization.created", emitted)).status).toBe(200);
  });

  test("find a payment that has stood still too long, and refuse its charge", async () => {
    const { id, number, cvc } = await readyCard();
    later(16);
    expect((await chargeIssuedCard(fake, { number, cvc, amount: 4200 })).approved).toBe(false);
    expect(["declined", "expired"]).toContain(await statusOf(id));
  });
});

describe("the end of a payment", () => {
  test("canceled, its card declines charges and can no longer be fetched", async () => {
    const { id, number, cvc, userToken } = await readyCard();
    expect((await call(`POST /v3/payments/${id}/cancel`)).body.status).toBe("canceled");
    expect((await chargeIssuedCard(fake, { number, cvc, amount: 4200 })).approved).toBe(false);
    expect(fake.books.issuing.keys.has(userToken)).toBe(false);
    expect(await statusOf(id)).toBe("canceled");
  });

  test("that a merchant holds money of is not canceled: 409/2015", async () => {
    const { id, number, cvc } = await readyCard();
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    const { status, body } = await call(`POST /v3/payments/${id}/cancel`);
    expect([status, body.error.code]).toEqual([409, 2015]);
    expect(await statusOf(id)).toBe("authorized");
    await captureAtMerchant(fake, bought);
    expect(await statusOf(id)).toBe("succeeded");
  });

  test("charged and canceled at once it ends one way, and Stripe agrees", async () => {
    for (let round = 0; round < 10; round++) {
      const { id, number, cvc } = await readyCard();
      const [bought, canceled] = await Promise.all([
        chargeIssuedCard(fake, { number, cvc, amount: 4200 }),
        call(`POST /v3/payments/${id}/cancel`),
      ]);
      const status = await statusOf(id);
      expect([bought.approved, canceled.status]).toEqual(
        status === "authorized" ? [true, 409] : [false, 200],
      );
    }
  });

  test("idle, a payment whose charge was not reported is authorized, not expired", async () => {
    const { id, number, cvc } = await readyCard();
    const idle = await readyCard();
    const bought = await chargeIssuedCard(fake, { number, cvc, amount: 4200 });
    expect(bought.approved).toBe(true);
    await sql.runText({
      text: "update agent_payments set status = 'ready', charge_ref = null where id = $1",
      values: [id],
    });
    later(16);
    await sweep();
    expect(await statusOf(id)).toBe("authorized");
    expect(await statusOf(idle.id)).toBe("expired");
    expect((await cardOf(idle.id))?.status).toBe("canceled");
  });

  test("a card that was made just before this service ended is found at Stripe and closed", async () => {
    const { id } = (await pay()).body;
    // Simulates a crash between Stripe's response and the update of the row.
    await sql.runText({
      text: "update agent_payments set card_ref = null, status = 'awaiting_user_action' where id = $1",
      values: [id],
    });
    later(16);
    await sweep();
    await sweep();
    expect((await cardOf(id))?.status).toBe("canceled");
  });

  test("a revoked customer's open cards are closed, a charged one stays", async () => {
    const payer = await createIssuedPayer(account);
    const [open, charged] = [await readyCard({ handle: payer }), await readyCard({ handle: payer })];
    await chargeIssuedCard(fake, { ...charged, amount: 4200 });
    await call(`DELETE /v3/payments/handles/${payer}/connection`);
    expect([await statusOf(open.id), await statusOf(charged.id)]).toEqual(["canceled", "authorized"]);
  });
});

describe("a Stripe in trouble", () => {
  /** So small that all modes stay within the daily limit of the customer. */
  const SMALL = { amount_cents: 100 };

  test.each([
    ["unreachable", 500, 3003],
    ["down", 504, 3005],
    ["slow", 504, 3005],
    ["garbage", 504, 3005],
    ["broken", 504, 3005],
    ["refusing", 500, 3004],
  ] as const)(
    "that is %s is reported as %d/%d, nothing is half done, and the next call goes on",
    async (mode, ...emitted) => {
      const { id } = (await pay(SMALL)).body;
      const key = `trouble-${mode}`;
      setStripeMode(fake, mode);
      const answers = [
        await pay(SMALL, key),
        await call(`GET /v3/payments/${id}/credentials`),
        await call(`POST /v3/payments/${id}/cancel`),
      ];
      setStripeMode(fake, "well");
      for (const { status, body } of answers) expect([status, body.error.code]).toEqual(emitted);
      expect(await statusOf(id)).toBe("ready");
      expect((await pay(SMALL, key)).body.status).toBe("ready");
      expect((await call(`POST /v3/payments/${id}/cancel`)).body.status).toBe("canceled");
    },
  );
});
