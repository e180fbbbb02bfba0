import "@/lib/testing/use-test-database";

import assert from "node:assert/strict";
import { afterEach, describe, expect, test } from "vitest";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { advancePayment } from "@/lib/payments/agent-payments/advance-payment";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { cancelRevoked, expireIfIdle } from "@/lib/payments/agent-payments/end-payment";
import { sweepAgentPayments } from "@/lib/payments/agent-payments/sweep-agent-payments";
import { sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { agentPaymentBench } from "@/lib/testing/payments/agent-payment-bench";

const bench = agentPaymentBench();
const { call, later, pay, createPayer, fetchCard, charge, paymentsOf } = bench;

describe("the end of a payment", () => {
  test("canceled, its card is closed permanently; canceling again is 409/2015", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const { handoff } = (await call(`GET /v3/payments/${id}/credentials`)).body;
    const { body } = await call(`POST /v3/payments/${id}/cancel`);
    expect(body).toMatchObject({ id, status: "canceled" });

    const headers = { authorization: `Bearer ${handoff.user_token}` };
    expect((await callApi(`GET ${new URL(handoff.fetch_url).pathname}`, { headers })).status).toBe(401);
    const again = await call(`POST /v3/payments/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 2015]);
    expect(again.headers.get("x-should-retry")).toBe("false");
  });

  test("idle for 15 minutes it expires, at the sweep or at the next look, and its card is closed", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const other = (await pay(handle, { amount_cents: 77 })).body;
    later(14);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("ready");
    later(15);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("expired");
    await sweepAgentPayments(new AbortController().signal);
    const cards = await sql.runText({
      text: "select status from servicecard_cards where payment_id = any($1)",
      values: [[id, other.id]],
    });
    expect(cards).toEqual([{ status: "closed" }, { status: "closed" }]);
    expect((await call(`GET /v3/payments/${other.id}`)).body.status).toBe("expired");
  });

  test("a call that read the payment before a sweep expired it sees that it expired", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    const [read] = await sql.runText<AgentPaymentRow>({
      text: `select ${PAYMENT_COLUMNS} from agent_payments where id = $1`,
      values: [id],
    });
    assert(read !== undefined);
    later(16);
    await sweepAgentPayments(new AbortController().signal);

    expect((await expireIfIdle(read, now())).status).toBe("expired");
    expect(
      (await advancePayment(bench.account.context(), { ...read, status: "awaiting_user_action" })).status,
    ).toBe("expired");
    expect((await cancelRevoked(read, now())).status).toBe("expired");
  });

  test("credentials are for a ready payment: else 409/2015", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    await charge(id);
    const { status, body } = await call(`GET /v3/payments/${id}/credentials`);
    expect([status, body.error.code]).toEqual([409, 2015]);
  });

  test("a revoked customer's open cards are closed, and the next payment needs consent again", async () => {
    const { handle } = await createPayer();
    const { id } = (await pay(handle)).body;
    await call(`DELETE /v3/payments/handles/${handle}/connection`);
    expect((await call(`GET /v3/payments/${id}`)).body.status).toBe("canceled");
    expect((await pay(handle)).body.status).toBe("needs_connection");
  });

  test("a cancel while the card is being made leaves no card open", async () => {
    const { handle } = await createPayer();
    for (let round = 0; round < 10; round++) {
      const [, paid] = await Promise.all([
        pay(handle, {}, `race-${handle}-${round}`),
        (async () => {
          const open = (await paymentsOf(handle)).at(-1);
          return open === undefined ? null : call(`POST /v3/payments/${open.id}/cancel`);
        })(),
      ]);
      expect(paid).not.toBeUndefined();
    }
    await Promise.all((await paymentsOf(handle)).map(({ id }) => call(`POST /v3/payments/${id}/cancel`)));
    const open = await sql.runText({
      text: `select c.card_ref from servicecard_cards c join agent_payments p on p.id = c.payment_id
             where p.handle = $1 and c.status = 'open'`,
      values: [handle],
    });
    expect(open).toEqual([]);
  });

  test("charged and canceled at once it ends one way, and the card agrees", async () => {
    for (let round = 0; round < 10; round++) {
      const { handle } = await createPayer();
      const { id } = (await pay(handle)).body;
      const { number, cvc } = (await fetchCard(id)).body;
      const body = { number, cvc, amount_cents: 4200, currency: "usd" };
      const [charged] = await Promise.all([
        callApi("POST /vault/charges", { body }),
        call(`POST /v3/payments/${id}/cancel`),
      ]);
      const { status } = (await call(`GET /v3/payments/${id}`)).body;
      expect(["succeeded", "canceled"]).toContain(status);
      expect(charged.body.outcome).toBe(status === "succeeded" ? "captured" : "declined");
    }
  });
});

test("a card that was made just before this service ended is closed once its payment has ended", async () => {
  const { handle } = await createPayer();
  const { id } = (await pay(handle)).body;
  // Simulates a crash between the provider's response and the update of the row.
  await sql.runText({
    text: `update agent_payments set card_ref = null, status = 'awaiting_user_action' where id = $1`,
    values: [id],
  });
  const cardOf = async () => {
    const [card] = await sql.runText<{ status: string }>({
      text: "select status::text from servicecard_cards where payment_id = $1",
      values: [id],
    });
    return card?.status;
  };
  later(16);
  const sweep = () => sweepAgentPayments(new AbortController().signal);
  await sweep();
  expect(await cardOf()).toBe("closed");
  expect(await sweep()).toBe(0);
});

describe("a provider in trouble", () => {
  afterEach(() => Object.assign(servicecard, original));
  const original = { ...servicecard };

  test("is reported by its code, nothing is half done, and the next call continues", async () => {
    const { AdapterError } = await import("@/lib/adapters/adapter-error");
    const { handle } = await createPayer();
    for (const [kind, status, code] of [
      ["not_reachable", 500, 3003],
      ["rejected", 500, 3004],
      ["unknown_outcome", 504, 3005],
    ] as const) {
      Object.assign(servicecard, { mint: () => Promise.reject(new AdapterError(kind, "trouble")) });
      const { status: answered, body } = await pay(handle, {}, `trouble-${handle}`);
      expect([answered, body.error.code]).toEqual([status, code]);
      expect((await paymentsOf(handle)).at(-1)?.status).toBe("needs_connection");
    }
    Object.assign(servicecard, original);
    expect((await pay(handle, {}, `trouble-${handle}`)).body.status).toBe("ready");
  });
});
