import "@/lib/testing/use-test-database";

import assert from "node:assert/strict";
import { afterEach, describe, expect, test } from "vitest";
import type { CardOrder } from "@/lib/adapters/card-providers/card-provider";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { type AgentPaymentRow, PAYMENT_COLUMNS } from "@/lib/payments/agent-payments/agent-payment";
import { recordCardEvent } from "@/lib/payments/agent-payments/cards/record-card-event";
import { type Move, movePayment } from "@/lib/payments/agent-payments/move-payment";
import { resetPasskeys } from "@/lib/payments/wallet/reset-passkeys";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { agentPaymentBench } from "@/lib/testing/payments/agent-payment-bench";
import { connectCustomer, createCustomer } from "@/lib/testing/payments/connect-customer";
import { approve, attachCard, createApprover, makePasskey } from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

const bench = agentPaymentBench();
const { call, pay, createPayer, paymentsOf, eventsOf } = bench;

async function readPayment(id: string): Promise<AgentPaymentRow> {
  const [row] = await sql.runText<AgentPaymentRow>({
    text: `select ${PAYMENT_COLUMNS} from agent_payments where id = $1`,
    values: [id],
  });
  assert(row !== undefined);
  return row;
}

async function readyPayment(): Promise<AgentPaymentRow> {
  const { handle } = await createPayer();
  return readPayment((await pay(handle)).body.id);
}

/** Starts `second` while `first` is uncommitted, and commits `first` once `second` waits for its lock. */
async function whileUncommitted<T>(
  first: (tx: Sql) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const { waiting } = await transaction(async (tx) => {
    await first(tx);
    const started = second();
    await untilLocked();
    return { waiting: started };
  });
  return waiting;
}

const moveBy = (payment: AgentPaymentRow, move: Omit<Move, "at">) => (tx: Sql) =>
  movePayment(tx, payment, { ...move, at: now() });

describe("a change that waits for another one of the same payment", () => {
  test("a capture behind an authorization makes the payment succeed", async () => {
    const payment = await readyPayment();
    const captured = await whileUncommitted(moveBy(payment, { trigger: "authorized" }), () =>
      transaction(moveBy(payment, { trigger: "captured" })),
    );
    expect(captured?.status).toBe("succeeded");
  });

  test("a cancel behind the customer's next step cancels the payment", async () => {
    const handle = await createCustomer(bench.account);
    await pay(handle);
    const payment = await readPayment(String((await paymentsOf(handle))[0]?.id));
    const { status, body } = await whileUncommitted(
      moveBy(payment, { trigger: "customer_must_act", awaits: "attach" }),
      () => call(`POST /v3/payments/${payment.id}/cancel`),
    );
    expect([status, body.status]).toEqual([200, "canceled"]);
  });

  test("a declined second charge behind an authorization changes and reports nothing", async () => {
    const payment = await readyPayment();
    const { account_id: accountId, provider, card_ref } = payment;
    const card = { accountId, provider, cardRef: String(card_ref), at: now() };
    const declined = await whileUncommitted(
      (tx) => recordCardEvent(tx, { ...card, on: "authorized", chargeRef: "first" }),
      () => transaction((tx) => recordCardEvent(tx, { ...card, on: "declined", chargeRef: "second" })),
    );
    expect(declined).toBeNull();
    expect((await readPayment(payment.id)).status).toBe("authorized");
    expect((await eventsOf(payment.id)).map(({ type }) => type)).not.toContain("payment.declined");
  });
});

describe("a change while the provider answers", () => {
  afterEach(() => Object.assign(servicecard, original));
  const original = { ...servicecard };

  test("an end between the card and its payment is answered, and the card is closed", async () => {
    const { handle } = await createPayer();
    let canceling: Promise<unknown> | undefined;
    const mint = async (order: CardOrder) => {
      const made = await original.mint(order);
      const held = Promise.withResolvers<void>();
      canceling = transaction(async (tx) => {
        const values = [order.accountId, order.handle];
        const text = "select from handle_connections where account_id = $1 and handle = $2 for update";
        await tx.runText({ text, values });
        held.resolve();
        await untilLocked();
        const payment = { account_id: order.accountId, id: order.paymentId };
        await movePayment(tx, payment, { trigger: "canceled", at: now() });
      });
      await held.promise;
      return made;
    };
    Object.assign(servicecard, { mint });

    const { body } = await pay(handle);
    await canceling;
    expect(body.status).toBe("canceled");
    const cards = await sql.runText({
      text: "select status::text from servicecard_cards where payment_id = $1",
      values: [body.id],
    });
    expect(cards).toEqual([{ status: "closed" }]);
  });

  test("a reset of the passkeys while the card is issued takes the approval back", async () => {
    const { handle, authenticator, approvalUrl } = await createApprover(bench.account);
    const mint = async (order: CardOrder) => {
      await resetPasskeys(bench.account.context(), { params: { handle } });
      return original.mint(order);
    };
    Object.assign(servicecard, { mint });
    await approve(approvalUrl, authenticator);

    const [open] = await paymentsOf(handle);
    const payment = await readPayment(String(open?.id));
    expect(payment).toMatchObject({ status: "awaiting_user_action", awaits: "attach", approved_at: null });
    expect((await call(`GET /v3/payments/${payment.id}/credentials`)).status).toBe(409);
  });

  test("a reset while the card of a payment without an approval is issued asks for one", async () => {
    const { handle } = await createPayer();
    const mint = async (order: CardOrder) => {
      await resetPasskeys(bench.account.context(), { params: { handle } });
      return original.mint(order);
    };
    Object.assign(servicecard, { mint });

    expect((await pay(handle)).body.status).not.toBe("ready");
    expect((await pay(handle)).body).toMatchObject({ status: "awaiting_user_action" });
  });

  test("a customer who adds a card meanwhile stays at the approval", async () => {
    const handle = await connectCustomer(bench.account);
    const { attach_url } = (await pay(handle)).body;
    const hasCard = async () => {
      Object.assign(servicecard, original);
      await attachCard(attach_url);
      await makePasskey(attach_url, createAuthenticator());
      return false;
    };
    Object.assign(servicecard, { hasCard });

    const { body } = await pay(handle);
    expect([body.status, body.attach_url]).toEqual(["awaiting_user_action", undefined]);
    expect(body.approval_url).toBeDefined();
  });
});
