import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { renderEvent } from "@/lib/events/catalog/render-event";
import { attemptPayment } from "@/lib/payments/requests/attempt-payment";
import { checkRequest, expirePaymentRequests } from "@/lib/payments/requests/expire-payment-requests";
import { findCheckoutLink } from "@/lib/payments/requests/find-checkout-link";
import { openCheckout } from "@/lib/payments/requests/open-checkout";
import { actorsOf } from "@/lib/payments/requests/read/request-actors";
import { recordCheckoutSent } from "@/lib/payments/requests/record-checkout-sent";
import { type Ending, endedStatus, nextCheck } from "@/lib/payments/requests/settle/request-status";
import { endRequest, refreshRequest } from "@/lib/payments/requests/settle/settle-request";
import { sql, transaction } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { advanceClock, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { openedRequest, paymentEvents, requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function cancel(id: string, of = account) {
  return callApi(`POST /v3/payment_requests/${id}/cancel`, { token: of.token });
}

function runSchedule() {
  return expirePaymentRequests(new AbortController().signal);
}

async function lastEvent(of = account) {
  return (await paymentEvents(of)).filter(({ type }) => !type.startsWith("payment_request.")).at(-1);
}

test("a request that is paid succeeds, with one event that holds its link only sealed", async () => {
  const row = await openedRequest(account, { amount: 1250, currency: "usd", metadata: { order: "7" } });
  expect(await attemptPayment(row, { card: "succeeds" })).toBe("paid");

  const { body } = await callApi(`GET /v3/payment_requests/${row.id}`, { token: account.token });
  expect(body).toMatchObject({ status: "succeeded", paid_at: expect.any(String) });
  expect(body.primary.payment_intent_id).toMatch(/^pi_test_/);
  const event = await lastEvent();
  expect(event?.type).toBe("payment.succeeded");
  expect(JSON.stringify(event)).not.toContain("tlpay_");
  const shown = renderEvent(
    { id: row.id, type: "payment.succeeded", traceId: row.traceId, createdAt: new Date(), data: event?.data },
    account.ref.partnerId,
    "2026-02-03",
  );
  expect(shown.data).toMatchObject({
    id: row.id,
    amount: 1250,
    currency: "usd",
    metadata: { order: "7" },
    checkout_url: body.checkout_url,
  });
});

test("a declined card leaves it open, and another pays it", async () => {
  const row = await openedRequest(account);
  expect(await attemptPayment(row, { card: "declined" })).toBe("declined");
  expect((await rowOf(account, row.id)).status).toBe("requested");
  expect(await attemptPayment(row, { card: "succeeds" })).toBe("paid");
  expect((await rowOf(account, row.id)).status).toBe("succeeded");
});

test("a second step is refused, then agreed to", async () => {
  const row = await openedRequest(account);
  expect(await attemptPayment(row, { card: "second_step" })).toBe("needs_step");
  expect(await attemptPayment(row, { agreed: false })).toBe("declined");
  expect(await attemptPayment(row, { agreed: true })).toBe("ended");
  expect(await attemptPayment(row, { card: "second_step" })).toBe("needs_step");
  expect(await attemptPayment(row, { agreed: true })).toBe("paid");
});

test("a discount changes what is charged, not the request; a trial charges nothing", async () => {
  const subscription = { mode: "subscription", price_id: "price_test_monthly" };
  const half = await openedRequest(account, { ...subscription, discount: { coupon: "coupon_test_half" } });
  await attemptPayment(half, { card: "succeeds" });
  expect((await lastEvent())?.data).toMatchObject({ id: half.id, amount: 450 });
  const { body } = await callApi(`GET /v3/payment_requests/${half.id}`, { token: account.token });
  expect(body).toMatchObject({
    amount: 900,
    primary: { subscription_id: expect.stringMatching(/^sub_test_/) },
  });

  const trial = await openedRequest(account, { ...subscription, trial_period_days: 7 });
  await attemptPayment(trial, { card: "succeeds" });
  expect((await lastEvent())?.data).toMatchObject({ id: trial.id, amount: 0, status: "succeeded" });
});

test("on the secondary rail the request keeps its key, and the payment adds the transaction's", async () => {
  const row = await openedRequest(account, {
    amount: 500,
    currency: "usd",
    rail: "secondary",
    from: account.line,
    payer_handle: "+15550001111",
  });
  await attemptPayment(row, { card: "succeeds" });
  expect((await lastEvent())?.data).toMatchObject({
    rail: "secondary",
    secondary: {
      payment_request_id: row.secondaryRequestId,
      transaction_id: expect.stringMatching(/^txn_test_/),
    },
  });
});

test("a request is canceled once: the second time, and after a payment, it is 409/2015", async () => {
  const { id } = await requestPayment(account);
  expect((await cancel(id)).body).toMatchObject({ id, status: "canceled" });
  expect((await lastEvent())?.data).toMatchObject({ id, status: "canceled" });
  const again = await cancel(id);
  expect([again.status, again.body.error.code]).toEqual([409, 2015]);

  const paid = await openedRequest(account);
  await attemptPayment(paid, { card: "succeeds" });
  expect((await cancel(paid.id)).body.error.code).toBe(2015);
});

test("a canceled request cannot be opened, not even when it was canceled during the opening", async () => {
  const { id } = await requestPayment(account);
  const before = await rowOf(account, id);
  await cancel(id);
  expect(await openCheckout(before)).toBeNull();
  const [order] = await sql.runText({
    text: "select status from sandbox_orders where key = $1",
    values: [id],
  });
  expect(order).toEqual({ status: "canceled" });
});

test("while a payment is under way it cannot be canceled, does not expire, and settles later", async () => {
  const at = now().getTime();
  const freezeAfter = (seconds: number) => setClock({ offsetMs: 0, frozenAt: new Date(at + seconds * 1000) });
  freezeAfter(0);
  const expires_at = new Date(at + 5000).toISOString();
  const row = await openedRequest(account, { amount: 500, currency: "usd", expires_at });
  expect(await attemptPayment(row, { card: "settles_late" })).toBe("processing");
  expect((await cancel(row.id)).body.error.code).toBe(2015);
  freezeAfter(10);
  await runSchedule();
  expect((await rowOf(account, row.id)).status).toBe("requested");
  freezeAfter(130);
  await runSchedule();
  expect((await rowOf(account, row.id)).status).toBe("succeeded");
  advanceClock(0);
});

test("an unpaid request expires at its time, opened or not, and its payment with it", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const { id } = await requestPayment(own);
  const opened = await openedRequest(own);
  await runSchedule();
  expect((await rowOf(own, id)).status).toBe("requested");
  advanceClock(86_400);
  await runSchedule();
  expect((await rowOf(own, id)).status).toBe("expired");
  expect((await rowOf(own, opened.id)).status).toBe("expired");
  expect(await attemptPayment(opened, { card: "succeeds" })).toBe("ended");
  const ended = (await paymentEvents(own)).filter(({ type }) => type === "payment.expired");
  expect(ended).toHaveLength(2);
});

test("a payment whose news was lost is found by asking", async () => {
  const row = await openedRequest(account);
  await sql.runText({
    text: "update sandbox_orders set status = 'paid', paid_at = now() where key = $1",
    values: [row.id],
  });
  advanceClock(120);
  await runSchedule();
  expect((await rowOf(account, row.id)).status).toBe("succeeded");
});

test("one of a hundred concurrent payments, cancels and expiries wins, with one event", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const row = await openedRequest(own);
  const expired = { ...row, expiresAt: new Date(0) };
  const changes = [
    () => attemptPayment(row, { card: "succeeds" }),
    () => cancel(row.id, own),
    () => checkRequest(expired),
    () => openCheckout(row),
  ];
  await Promise.all(Array.from({ length: 100 }, (_, index) => changes[index % changes.length]?.()));

  const { status, chargedMinor } = await rowOf(own, row.id);
  const [order] = await sql.runText<{ status: string }>({
    text: "select status from sandbox_orders where key = $1",
    values: [row.id],
  });
  expect(status === "succeeded").toBe(order?.status === "paid");
  expect(status === "succeeded").toBe(chargedMinor !== null);
  const ends = (await paymentEvents(own)).filter(({ type }) =>
    /^payment\.(succeeded|canceled|expired)$/.test(type),
  );
  expect(ends.map(({ type }) => type)).toEqual([`payment.${status}`]);
});

test("no payment stays open after a cancel and a first opening at once, unless its request does", async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await requestPayment(account);
    const row = await rowOf(account, id);
    await Promise.all([cancel(id), openCheckout(row), openCheckout(row)]);
    expect((await rowOf(account, id)).status).toBe("canceled");
    const [order] = await sql.runText<{ status: string }>({
      text: "select status from sandbox_orders where key = $1",
      values: [id],
    });
    expect(order?.status ?? "canceled").toBe("canceled");
  }
});

test("an end that began before the opening, or before another end, goes by the request as it is now", async () => {
  const opened = await rowOf(account, (await requestPayment(account)).id);
  await openCheckout(opened);
  expect((await endRequest(opened, "canceled")).status).toBe("canceled");
  const [order] = await sql.runText({
    text: "select status from sandbox_orders where key = $1",
    values: [opened.id],
  });
  expect(order).toEqual({ status: "canceled" });

  const ended = await rowOf(account, (await requestPayment(account)).id);
  await cancel(ended.id);
  expect((await endRequest(ended, "expired")).status).toBe("canceled");
});

/** Starts a call for a request whose payment is processing. Another call ends the request as paid before its update. */
async function settledDuring<Answer>(row: { id: string }, call: () => Promise<Answer>): Promise<Answer> {
  await sql.runText({
    text: "update sandbox_orders set status = 'processing', settles_at = 'infinity' where key = $1",
    values: [row.id],
  });
  const { calling } = await transaction(async (tx) => {
    await tx.runText({
      text: `update payment_requests set status = 'succeeded', paid_at = $2, check_at = null where id = $1`,
      values: [row.id, now()],
    });
    const started = call();
    await untilLocked();
    return { calling: started };
  });
  return calling;
}

test("a check returns the request as paid when a webhook settles the request meanwhile", async () => {
  const row = await openedRequest(account);
  expect(await settledDuring(row, () => refreshRequest(row))).toMatchObject({
    status: "succeeded",
    isProcessing: false,
    checkAt: null,
    paidAt: expect.any(Date),
  });
});

test("a cancellation whose news from the processor arrive before its answer is a cancellation, with who asked", async () => {
  const row = await openedRequest(account);
  const { calling } = await transaction(async (tx) => {
    await tx.runText({
      text: "update payment_requests set status = 'canceled', updated_at = $2, check_at = null where id = $1",
      values: [row.id, new Date(now().getTime() + 1000)],
    });
    const started = cancel(row.id);
    await untilLocked();
    return { calling: started };
  });
  const { status, body } = await calling;
  expect([status, body.id, body.status]).toEqual([200, row.id, "canceled"]);
  expect((await actorsOf(await rowOf(account, row.id))).canceled).toBe("API");
});

test("a cancellation is refused with the status that the request has meanwhile", async () => {
  const row = await openedRequest(account);
  const { status, body } = await settledDuring(row, () => cancel(row.id));
  expect([status, body.error.code, body.error.message]).toEqual([
    409,
    2015,
    expect.stringContaining("the payment request is succeeded"),
  ]);
});

test.each([
  { leftMs: 1, status: "canceled" },
  { leftMs: 0, status: "expired" },
  { leftMs: -1, status: "expired" },
])(
  "canceled at the processor $leftMs ms before its time, a request is $status",
  async ({ leftMs, status }) => {
    const row = await openedRequest(account);
    await sql.runText({
      text: "update sandbox_orders set status = 'canceled' where key = $1",
      values: [row.id],
    });
    const at = now();
    setClock({ offsetMs: 0, frozenAt: at });
    const ended = await refreshRequest({ ...row, expiresAt: new Date(at.getTime() + leftMs) });
    advanceClock(0);
    expect(ended.status).toBe(status);
    expect((await lastEvent())?.type).toBe(`payment.${status}`);
  },
);

test("the timeline of a chat the link was sent into tells what becomes of it", async () => {
  const own = await createTestAccount({ type: "sandbox" });
  const chatId = await createDirectChat(own, await createTestPhone(own));
  const { checkout_url } = await requestPayment(own);
  const found = await findCheckoutLink(own.ref.id, checkout_url);
  if (found === null) throw new Error("the link leads nowhere");
  await recordCheckoutSent(sql, found, {
    chatId,
    messageId: "01a00000-0000-7000-8000-000000000001",
    at: found.createdAt,
  });
  await openCheckout(found);
  await openCheckout(await rowOf(own, found.id));
  await attemptPayment(await rowOf(own, found.id), { card: "succeeds" });

  const emitted = (await paymentEvents(own)).filter((event) => event.chatId === chatId);
  expect(emitted.map(({ type }) => type)).toEqual([
    "payment_request.requested",
    "payment_request.opened",
    "payment_request.attempted",
    "payment_request.paid",
  ]);
});

test("a link is only its account's", async () => {
  const { checkout_url } = await requestPayment(account);
  const other = await createTestAccount({ type: "sandbox" });
  expect(await findCheckoutLink(other.ref.id, checkout_url)).toBeNull();
  expect(await findCheckoutLink(account.ref.id, "https://example.com/pay/x?session=y")).toBeNull();
  expect(
    await findCheckoutLink(account.ref.id, checkout_url.replace("trunkline.test", "evil.test")),
  ).toBeNull();
});

const STATUSES = ["requested", "succeeded", "canceled", "expired"] as const;

test("property: a request ends once, in any order of payments, cancels and expiries", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Ending>("paid", "canceled", "expired")), (endings) => {
      let status: (typeof STATUSES)[number] = "requested";
      const passed = endings.map((ending) => {
        const next = endedStatus(status, ending);
        if (next !== null) status = next;
        return next;
      });
      expect(passed.filter((next) => next !== null)).toHaveLength(Math.min(endings.length, 1));
    }),
  );
});

test("a check is always later than now, and never later than an end that is to come", () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(1e9), (open, left) => {
      const at = new Date(1e12);
      const expiresAt = new Date(at.getTime() + left);
      const next = nextCheck(new Date(at.getTime() - open), expiresAt, at);
      expect(next > at).toBe(true);
      if (left > 0) expect(next <= expiresAt).toBe(true);
    }),
  );
});
