import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { POST as cancelRoute } from "@/app/api/payment-requests/[paymentRequestId]/cancel/route";
import { GET as showRoute } from "@/app/api/payment-requests/[paymentRequestId]/route";
import { GET as csvRoute } from "@/app/api/payment-requests/csv/route";
import { POST as createRoute, GET as searchRoute } from "@/app/api/payment-requests/route";
import { GET as totalsRoute } from "@/app/api/payment-requests/totals/route";
import { attemptPayment, payWithTestCard } from "@/lib/payments/requests/attempt-payment";
import { totalPaymentRequests } from "@/lib/payments/requests/list-payment-request-views";
import { sql } from "@/lib/platform/database/db";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { acceptTestMessage, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { openedRequest, requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let support: DashboardUser;
let viewer: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  support = await signInAs(account, "support");
  viewer = await signInAs(account, "viewer");
});

const found = async (query: Record<string, string>) => {
  const { body } = await viewer.call(searchRoute, { query });
  return body.payment_requests.map(({ id }: { id: string }) => id);
};

test("requests are found by status, currency, words and ids, newest first and page by page", async () => {
  const dinner = await requestPayment(account, {
    amount: 900,
    currency: "eur",
    description: "Dinner for two",
  });
  const yen = await requestPayment(account, { amount: 500, currency: "jpy", description: "Tea" });
  const paid = await openedRequest(account, { amount: 1250, currency: "eur" });
  await attemptPayment(paid, { card: "succeeds" });

  expect(await found({})).toEqual([paid.id, yen.id, dinner.id]);
  expect(await found({ currency: "eur", status: "requested" })).toEqual([dinner.id]);
  expect(await found({ q: "DINNER" })).toEqual([dinner.id]);
  expect(await found({ q: yen.id })).toEqual([yen.id]);
  expect(await found({ q: paid.paymentIntentId ?? "none" })).toEqual([paid.id]);
  expect(await found({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
  const first = await viewer.call(searchRoute, { query: { limit: "2" } });
  expect(await found({ limit: "2", cursor: first.body.next_cursor })).toEqual([dinner.id]);
  expect(first.body.payment_requests[1].amount_text).toBe("¥500");

  const { body } = await viewer.call(totalsRoute, { query: {} });
  expect(body.totals).toEqual([
    { currency: "eur", count: 2, requested_text: "€21.50", paid_count: 1, paid_text: "€12.50" },
    { currency: "jpy", count: 1, requested_text: "¥500", paid_count: 0, paid_text: "¥0" },
  ]);
});

test("another account finds none of them, and a page is one search whatever it shows", async () => {
  const other = await signInAs(await createTestAccount({ type: "sandbox" }), "admin");
  const { id } = await requestPayment(account);
  expect((await other.call(searchRoute)).body.payment_requests).toEqual([]);
  expect((await other.call(showRoute, { params: { paymentRequestId: id } })).status).toBe(403);

  const one = await countStatements(() => viewer.call(searchRoute, { query: { limit: "1" } }));
  const many = await countStatements(() => viewer.call(searchRoute, { query: { limit: "2" } }));
  expect(many).toEqual(one);
});

test("the file holds what is found, and no link that a reader could pay with", async () => {
  await requestPayment(account, { amount: 700, currency: "usd", description: "In the file" });
  const { status, body } = await viewer.call(csvRoute, { query: { q: "in the file" } });
  expect(status).toBe(200);
  expect(body).toContain("In the file");
  expect(body.trim().split("\n")).toHaveLength(2);
  expect(body).not.toContain("tlpay_");
});

test("the timeline tells of each step once, of the chat it was sent into, and who created and canceled it", async () => {
  const created = await support.call(createRoute, {
    method: "POST",
    body: { amount: 1250, currency: "usd" },
  });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const parts = [{ type: "link" as const, value: created.body.checkout_url }];
  await acceptTestMessage(account, chatId, "", { parts });
  await payWithTestCard(await rowOf(account, id), "declined");
  const params = { paymentRequestId: id };
  expect((await viewer.call(cancelRoute, { method: "POST", params })).status).toBe(403);
  expect((await support.call(cancelRoute, { method: "POST", params })).body.status).toBe("canceled");

  const { body } = await viewer.call(showRoute, { params });
  expect(body.timeline).toMatchObject([
    { step: "created", actor: "A support", chat_id: null },
    { step: "sent", chat_id: chatId },
    { step: "opened", actor: null },
    { step: "attempted", actor: null },
    { step: "declined", actor: null, reason: "card_declined" },
    { step: "canceled", actor: "A support" },
  ]);
  expect(body.payment_request.sent_to).toHaveLength(1);
});

test("a request created by a program and paid by a payer names the API and no person", async () => {
  const made = { token: account.token, body: { amount: 1250, currency: "usd" } };
  const { id } = (await callApi("POST /v3/payment_requests", made)).body;
  await payWithTestCard(await rowOf(account, id), "succeeds");
  const { body } = await viewer.call(showRoute, { params: { paymentRequestId: id } });
  expect(body.timeline.at(0)).toMatchObject({ step: "created", actor: "API" });
  expect(body.timeline.at(-1)).toMatchObject({ step: "paid", actor: null });
});

test("a viewer cannot create a request", async () => {
  const body = { amount: 1250, currency: "usd" };
  expect((await viewer.call(createRoute, { method: "POST", body })).status).toBe(403);
});

test("totals read at most the newest 10,000 requests", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  const { id } = await requestPayment(other, { amount: 100, currency: "usd" });
  await sql.runText({
    text: `insert into payment_requests (account_id, id, mode, status, amount_minor, currency, processor, merchant_id, session_hash,
             session_sealed, trace_id, expires_at, created_at, updated_at)
           select account_id, uuidv7(), mode, 'canceled', 200, currency, processor, merchant_id, sha256(n::text::bytea),
             session_sealed, trace_id, expires_at, created_at, updated_at
           from payment_requests, generate_series(1, 10100) n where id = $1`,
    values: [id],
  });
  await sql.runText({ text: "analyze payment_requests" });
  const total = () => totalPaymentRequests(other.context(), { query: {} });
  expect((await total()).totals).toEqual([
    { currency: "usd", count: 10_000, requested_text: "$20,000.00", paid_count: 0, paid_text: "$0.00" },
  ]);
  const scans = await explainStatements(total);
  expect(Math.max(...scans.filter(({ on }) => on === "payment_requests").map(({ rows }) => rows))).toBe(
    10_000,
  );
});
