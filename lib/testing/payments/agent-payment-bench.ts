import { afterAll, afterEach, beforeAll } from "vitest";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { sql } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { approve, attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

/**
 * An account whose agents can pay, with functions for the API calls of a payment. The clock and the limits are reset
 * after each test.
 */
export function agentPaymentBench() {
  const bench = {} as { account: TestAccount };
  let stopSending: () => Promise<void>;
  beforeAll(async () => {
    bench.account = await createTestAccount({ type: "sandbox" });
    stopSending = startSending();
  });

  afterEach(async () => {
    setClock(null);
    await sql.runText({ text: "delete from agent_pay_settings" });
  });
  afterAll(() => stopSending());

  const call = (what: `${string} ${string}`, body?: unknown) =>
    callApi(what, { token: bench.account.token, body });
  const later = (minutes: number) => setClock({ offsetMs: minutes * 60_000, frozenAt: null });
  const limit = (body: object) => updateAgentPaySettings(bench.account.context(), { body });

  function pay(handle: string, more: object = {}, key?: string) {
    const body = { amount_cents: 4200, currency: "usd", handle, ...more };
    const headers = key === undefined ? undefined : { "idempotency-key": key };
    return callApi("POST /v3/payments", { token: bench.account.token, body, headers });
  }

  /** A customer whose first payment was approved, so that later ones need no approval. */
  async function createPayer(card = "pays") {
    const handle = await connectCustomer(bench.account);
    const authenticator = createAuthenticator();
    const first = await pay(handle, { amount_cents: 1 });
    await attachCard(first.body.attach_url, card);
    await makePasskey(first.body.attach_url, authenticator);
    const asked = await pay(handle, { amount_cents: 1 });
    await approve(asked.body.approval_url, authenticator);
    const ready = await pay(handle, { amount_cents: 1 });
    await call(`POST /v3/payments/${ready.body.id}/cancel`);
    return { handle, authenticator };
  }

  async function fetchCard(paymentId: string) {
    const { body } = await call(`GET /v3/payments/${paymentId}/credentials`);
    const { fetch_url, user_token } = body.handoff;
    const headers = { authorization: `Bearer ${user_token}` };
    return callApi(`GET ${new URL(fetch_url).pathname}`, { headers });
  }

  async function charge(paymentId: string, more: object = {}) {
    const { number, cvc } = (await fetchCard(paymentId)).body;
    const body = { number, cvc, amount_cents: 4200, currency: "usd", ...more };
    return (await callApi("POST /vault/charges", { body })).body;
  }

  async function eventsOf(paymentId: string): Promise<{ type: string; data: { status: string } }[]> {
    return sql.runText({
      text: "select type, data from events where account_id = $1 and data->>'id' = $2 order by seq",
      values: [bench.account.ref.id, paymentId],
    });
  }

  async function paymentsOf(handle: string): Promise<{ id: string; status: string }[]> {
    return sql.runText({
      text: "select id, status from agent_payments where account_id = $1 and handle = $2 order by id",
      values: [bench.account.ref.id, handle],
    });
  }

  return Object.assign(bench, {
    call,
    later,
    limit,
    pay,
    createPayer,
    fetchCard,
    charge,
    eventsOf,
    paymentsOf,
  });
}
