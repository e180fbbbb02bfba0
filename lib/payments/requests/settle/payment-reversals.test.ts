import "@/lib/testing/use-test-database";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { finishConnection, startConnection } from "@/lib/payments/processors/connect-processor";
import { getPaymentRequestView } from "@/lib/payments/requests/get-payment-request-view";
import {
  ListPaymentRequestViews,
  listPaymentRequestViews,
} from "@/lib/payments/requests/list-payment-request-views";
import { findPaymentRequest } from "@/lib/payments/requests/read/find-payment-request";
import { followReversals } from "@/lib/payments/requests/settle/follow-reversals";
import { toReversalFields } from "@/lib/payments/requests/settle/payment-reversal";
import { prisma, sql } from "@/lib/platform/database/db";
import { minorUnits } from "@/lib/platform/text/money";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openedRequest, rowOf } from "@/lib/testing/payments/payment-requests";
import { connectFakeStripe, seedFakeStripe } from "@/lib/testing/stripe/connect-fake-stripe";
import { eventOf, type FakeStripe, signedEvent, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { confirmAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";
import { changeDispute, disputeAtStripe, refundAtStripe } from "@/lib/testing/stripe/reverse-at-stripe";

const SHOP = "acct_reversals";
let fake: FakeStripe;
let account: TestAccount;
let paymentIntentId: string;
let id: string;

/** The webhooks that the fake would have sent, in order. */
let reports: { type: string; object: unknown }[] = [];

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  seedFakeStripe(fake.books, SHOP);
  fake.books.tell = async (_, type, object) => {
    reports.push({ type, object });
  };
});

afterAll(() => fake.close());

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const { url } = await startConnection(account.context());
  const state = new URL(url).searchParams.get("state") ?? "";
  await finishConnection(account.context(), { query: { code: `code_${SHOP}`, state } });
  const opened = await openedRequest(account, { amount: 1250, currency: "usd" });
  ({ id } = opened);
  paymentIntentId = (await rowOf(account, id)).paymentIntentId ?? "";
  await confirmAtStripe(
    fake.books,
    fake.books.intents.get(`${SHOP}/${paymentIntentId}`)?.client_secret ?? "",
    "succeeds",
  );
  await deliver();
});

function post(type: string, object: unknown) {
  const { body, headers } = signedEvent(eventOf(SHOP, type, object));
  return callApi("POST /inbound/stripe", { body, headers });
}

/** Delivers the reports, by default in order. */
async function deliver(order = (all: typeof reports) => all): Promise<void> {
  const due = order(reports);
  reports = [];
  for (const { type, object } of due) expect((await post(type, object)).status).toBe(200);
}

const shown = async () =>
  (await getPaymentRequestView(account.context(), { params: { paymentRequestId: id } })).payment_request;
const notices = () =>
  prisma().accountNotice.findMany({
    where: { objectId: id },
    select: { title: true, dismissedAt: true, link: true },
  });

test("refunds are shown with their sum, in part and in full, on the request and in the list", async () => {
  await refundAtStripe(fake.books, paymentIntentId, { amount: 500, reason: "requested_by_customer" });
  await deliver();
  expect(await shown()).toMatchObject({
    status: "succeeded",
    refunded: { amount_text: "$5.00", is_full: false },
    reversals: [
      { type: "refund", status: "succeeded", amount_text: "$5.00", reason: "requested_by_customer" },
    ],
  });

  await refundAtStripe(fake.books, paymentIntentId, { amount: 750, status: "pending" });
  await deliver();
  const query = ListPaymentRequestViews.query.parse({});
  const { payment_requests } = await listPaymentRequestViews(account.context(), { query });
  expect(payment_requests).toMatchObject([
    { id, refunded: { amount_text: "$12.50", is_full: true }, reversals: [{}, {}] },
  ]);
});

test("a refund that fails is no longer counted", async () => {
  const refund = await refundAtStripe(fake.books, paymentIntentId);
  await deliver();
  refund.status = "failed";
  await post("refund.failed", refund);
  expect(await shown()).toMatchObject({ refunded: null, reversals: [{ id: refund.id, status: "failed" }] });
});

test("a dispute has a notice until it is answered, and ends won or lost", async () => {
  const dispute = await disputeAtStripe(fake.books, paymentIntentId);
  await deliver();
  expect((await shown()).reversals).toMatchObject([
    { type: "dispute", status: "needs_response", reason: "fraudulent", respond_by: expect.any(String) },
  ]);
  expect(await notices()).toEqual([
    { title: "A payment of $12.50 is disputed", link: `/payments/${id}`, dismissedAt: null },
  ]);

  await changeDispute(fake.books, dispute, { status: "under_review" });
  await deliver();
  expect(await notices()).toMatchObject([{ dismissedAt: expect.any(Date) }]);
  await changeDispute(fake.books, dispute, { status: "won" });
  await deliver();
  expect((await shown()).reversals).toMatchObject([{ id: dispute.id, status: "won" }]);
  expect(await notices()).toHaveLength(1);
});

test("reports in the wrong order and twice lead to the same state", async () => {
  const dispute = await disputeAtStripe(fake.books, paymentIntentId);
  await changeDispute(fake.books, dispute, { status: "lost" });
  await refundAtStripe(fake.books, paymentIntentId, { amount: 100 });
  await deliver((all) => [...all.toReversed(), ...all]);
  expect((await shown()).reversals.map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
    "dispute lost",
    "refund succeeded",
  ]);
  expect(await notices()).toEqual([]);
});

test("a state that was read earlier never replaces one that was read later", async () => {
  const dispute = await disputeAtStripe(fake.books, paymentIntentId);
  await deliver();
  await changeDispute(fake.books, dispute, { status: "won" });
  const before = await prisma().paymentReversal.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await sql.runText({
    text: "update payment_reversals set read_at = clock_timestamp() + interval '1 hour' where account_id = $1",
    values: [account.ref.id],
  });
  await deliver();
  const after = await prisma().paymentReversal.findFirstOrThrow({ where: { accountId: account.ref.id } });
  expect([before.status, after.status]).toEqual(["needs_response", "needs_response"]);
});

test("twelve reports at once store each refund and the notice once", async () => {
  await disputeAtStripe(fake.books, paymentIntentId);
  await refundAtStripe(fake.books, paymentIntentId);
  reports = [];
  const row = await findPaymentRequest(account.context(), id);
  await Promise.all(Array.from({ length: 12 }, () => followReversals(row)));
  expect((await shown()).reversals).toHaveLength(2);
  expect(await notices()).toHaveLength(1);
});

test("a refund or a dispute changes neither the request nor its events in the API", async () => {
  const read = () => callApi(`GET /v3/payment_requests/${id}`, { token: account.token });
  const events = () => prisma().event.count({ where: { accountId: account.ref.id } });
  const before = [(await read()).body, await events()];
  await refundAtStripe(fake.books, paymentIntentId);
  await disputeAtStripe(fake.books, paymentIntentId);
  await deliver();
  expect((await shown()).reversals).toHaveLength(2);
  expect([(await read()).body, await events()]).toEqual(before);
});

test("while Stripe is unreachable the webhook fails, so that Stripe sends it again", async () => {
  const refund = await refundAtStripe(fake.books, paymentIntentId);
  reports = [];
  const { body, headers } = signedEvent(eventOf(SHOP, "refund.created", refund));
  fake.breaksAt = "GET /v1/refunds";
  const failed = await callApi("POST /inbound/stripe", { body, headers });
  fake.breaksAt = null;
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect((await shown()).reversals).toEqual([]);
  expect((await callApi("POST /inbound/stripe", { body, headers })).status).toBe(200);
  expect((await shown()).reversals).toHaveLength(1);
});

test("refunds of payments that Trunkline did not create, and of other merchants, change nothing", async () => {
  expect((await post("refund.created", { id: "re_1", object: "refund", payment_intent: null })).status).toBe(
    200,
  );
  expect(
    (await post("refund.created", { id: "re_2", object: "refund", payment_intent: "pi_other" })).status,
  ).toBe(200);
  const { body, headers } = signedEvent(
    eventOf("acct_other", "refund.created", {
      id: "re_3",
      object: "refund",
      payment_intent: paymentIntentId,
    }),
  );
  expect((await callApi("POST /inbound/stripe", { body, headers })).status).toBe(200);
  expect(await prisma().paymentReversal.count({ where: { accountId: account.ref.id } })).toBe(0);
});

test("the refunded sum is the sum of the refunds that did not fail, and full when it reaches the charge", () => {
  const status = fc.constantFrom("pending" as const, "succeeded" as const, "failed" as const);
  const refunds = fc.array(fc.record({ amount_minor: fc.nat(5000), status }), { maxLength: 8 });
  fc.assert(
    fc.property(refunds, fc.integer({ min: 1, max: 5000 }), (rows, charged) => {
      const whole = rows.map((row, at) => ({
        ...row,
        id: `re_${at}`,
        type: "refund" as const,
        currency: "usd",
        reason: null,
        respond_by: null,
        created_at: "2026-03-01T12:00:00Z",
      }));
      const sum = rows.reduce((total, row) => total + (row.status === "failed" ? 0 : row.amount_minor), 0);
      const { refunded } = toReversalFields(whole, minorUnits(charged, "usd"), "usd");
      expect(refunded?.is_full ?? false).toBe(sum > 0 && sum >= charged);
      expect(refunded?.amount_text.replaceAll(/[$,]/g, "") ?? "0.00").toBe((sum / 100).toFixed(2));
    }),
  );
});
