import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { POST as createRoute } from "@/app/api/payment-requests/route";
import { updateAgentPaySettings } from "@/lib/payments/agent-payments/update-agent-pay-settings";
import { finishConnection, startConnection } from "@/lib/payments/processors/connect-processor";
import { sql } from "@/lib/platform/database/db";
import { ERRORS } from "@/lib/platform/errors/errors";
import { setClock } from "@/lib/platform/time/clock";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { type ApiAnswer, type ApiCall, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { createCustomer, requestCode, startSending } from "@/lib/testing/payments/connect-customer";
import { connectIssuing, createIssuedPayer } from "@/lib/testing/payments/issue-cards";
import { openedRequest } from "@/lib/testing/payments/payment-requests";
import { serveApi } from "@/lib/testing/serve-api";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";
import { connectFakeStripe, seedFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";

const SHOP = "acct_errors";
const UNKNOWN = "01a00000-0000-7000-8000-000000000000";

let fake: FakeStripe;
/** Uses Stripe as processor and as card issuer, so every call has a vendor that can fail. */
let account: TestAccount;
/** A sandbox account with its initial settings. */
let plain: TestAccount;
let production: TestAccount;
let payer: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  seedFakeStripe(fake.books, SHOP);
  const server = await serveApi();
  fake.issuingUrl = `${server.baseUrl}/inbound/stripe/issuing`;
  stops.push(() => fake.close(), server.close, startSending());
  account = await createTestAccount({ type: "sandbox" });
  plain = await createTestAccount({ type: "sandbox" });
  production = await createTestAccount({ type: "production" });
  const state = new URL((await startConnection(account.context())).url).searchParams.get("state") ?? "";
  await finishConnection(account.context(), { query: { code: `code_${SHOP}`, state } });
  await connectIssuing(account, fake);
  payer = await createIssuedPayer(account);
});

afterEach(async () => {
  setClock(null);
  setStripeMode(fake, "well");
  await sql.runText({ text: "delete from agent_pay_settings" });
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

type Earn = () => Promise<ApiAnswer>;

function call(what: `${string} ${string}`, body?: unknown, more: ApiCall = {}): Promise<ApiAnswer> {
  return callApi(what, { token: account.token, ...more, ...(body === undefined ? {} : { body }) });
}

const as = (of: TestAccount) => ({ token: of.token });
const payment = { amount: 1250, currency: "usd" };
const request = (body: object, of = account) => call("POST /v3/payment_requests", body, as(of));
const secondary = { ...payment, rail: "secondary", payer_handle: "+15550001112" };

/** Each Stripe failure, with the request made during it. */
function whileStripeFails(ask: Earn, prepare?: () => Promise<Earn>): Record<string, Earn> {
  const during = (mode: FakeStripe["mode"]) => async () => {
    const prepared = (await prepare?.()) ?? ask;
    setStripeMode(fake, mode);
    return prepared();
  };
  return {
    service_connection: during("unreachable"),
    service_operation: during("refusing"),
    network_timeout: during("slow"),
  };
}

function afterPreparing(prepare: () => Promise<Earn>): Record<string, Earn> {
  return whileStripeFails(() => Promise.reject(new Error("nothing was prepared")), prepare);
}

let orders = 0;

function agentPay(more: object = {}, of = account) {
  const headers = { "idempotency-key": `order-${++orders}` };
  const body = { amount_cents: 4200, currency: "usd", handle: payer, ...more };
  return call("POST /v3/payments", body, { ...as(of), headers });
}

async function readyPayment(more: object = {}): Promise<string> {
  const { body } = await agentPay(more);
  expect(body.status).toBe("ready");
  return body.id;
}

/** A payment whose next check must close its card first. */
async function idlePayment(): Promise<string> {
  const id = await readyPayment();
  setClock({ offsetMs: 16 * 60_000, frozenAt: null });
  return id;
}

const connect = (handle: string, of = plain) =>
  call(`POST /v3/payments/handles/${handle}/connect`, undefined, as(of));
const back = { return_url: "https://example.com/back" };
const onboard = (provider: string, body: object = back, of = account) =>
  call(`POST /v3/payments/providers/${provider}/connect`, body, as(of));

async function flagged(of: TestAccount): Promise<TestAccount> {
  await call(`PUT /simulator/lines/${of.line}`, { status: "FLAGGED" }, as(of));
  return of;
}

/** By operation and error: a request that causes the error. */
const ROWS: Readonly<Record<string, Record<string, Earn>>> = {
  "POST /v3/payment_requests": {
    field_missing: () => request({ currency: "usd" }),
    parameter_invalid: () => request({ ...payment, amount: 49 }),
    phone_not_e164: () => request({ ...secondary, from: "555" }, plain),
    access_denied: async () =>
      (await signInAs(plain, "viewer")).call(createRoute, { method: "POST", body: payment }),
    line_not_permitted: () => request({ ...secondary, from: account.line }, plain),
    feature_not_available: () => request(payment, production),
    ...whileStripeFails(() => request({ ...payment, customer_id: "cus_ada" })),
  },
  "GET /v3/payment_requests": {
    parameter_invalid: () => call("GET /v3/payment_requests?limit=0"),
  },
  "GET /v3/payment_requests/{paymentRequestId}": {
    payment_request_not_found: () => call(`GET /v3/payment_requests/${UNKNOWN}`),
    parameter_invalid: () => call("GET /v3/payment_requests/none"),
    access_denied: async () =>
      call(`GET /v3/payment_requests/${(await request(payment)).body.id}`, undefined, as(plain)),
  },
  "POST /v3/payment_requests/{paymentRequestId}/cancel": {
    payment_request_not_found: () => call(`POST /v3/payment_requests/${UNKNOWN}/cancel`),
    access_denied: async () =>
      call(`POST /v3/payment_requests/${(await request(payment)).body.id}/cancel`, undefined, as(plain)),
    state_conflict: async () => {
      const { id } = (await request(payment)).body;
      await call(`POST /v3/payment_requests/${id}/cancel`);
      return call(`POST /v3/payment_requests/${id}/cancel`);
    },
    ...afterPreparing(async () => {
      const { id } = await openedRequest(account, payment);
      return () => call(`POST /v3/payment_requests/${id}/cancel`);
    }),
  },
  "POST /v3/payments": {
    field_missing: () => agentPay({ amount_cents: undefined }),
    parameter_invalid: () => agentPay({ amount_cents: 0 }),
    phone_not_e164: () => agentPay({ handle: "ada" }),
    feature_not_available: () => agentPay({}, production),
    state_conflict: async () => {
      await updateAgentPaySettings(account.context(), { body: { max_per_handle_day_cents: 1 } });
      return agentPay();
    },
    ...whileStripeFails(() => agentPay()),
  },
  "GET /v3/payments/{paymentId}": {
    payment_request_not_found: () => call(`GET /v3/payments/${UNKNOWN}`),
    access_denied: async () => call(`GET /v3/payments/${await readyPayment()}`, undefined, as(plain)),
    ...afterPreparing(async () => {
      const id = await idlePayment();
      return () => call(`GET /v3/payments/${id}`);
    }),
  },
  "POST /v3/payments/{paymentId}/cancel": {
    payment_request_not_found: () => call(`POST /v3/payments/${UNKNOWN}/cancel`),
    access_denied: async () => call(`POST /v3/payments/${await readyPayment()}/cancel`, undefined, as(plain)),
    state_conflict: async () => {
      const id = await readyPayment();
      await call(`POST /v3/payments/${id}/cancel`);
      return call(`POST /v3/payments/${id}/cancel`);
    },
    ...afterPreparing(async () => {
      const id = await readyPayment();
      return () => call(`POST /v3/payments/${id}/cancel`);
    }),
  },
  "GET /v3/payments/{paymentId}/credentials": {
    payment_request_not_found: () => call(`GET /v3/payments/${UNKNOWN}/credentials`),
    access_denied: async () =>
      call(`GET /v3/payments/${await readyPayment()}/credentials`, undefined, as(plain)),
    state_conflict: async () => {
      const id = await readyPayment();
      await call(`POST /v3/payments/${id}/cancel`);
      return call(`GET /v3/payments/${id}/credentials`);
    },
    ...afterPreparing(async () => {
      const id = await readyPayment();
      return () => call(`GET /v3/payments/${id}/credentials`);
    }),
  },
  "POST /v3/payments/handles/{handle}/connect": {
    phone_not_e164: () => connect("ada"),
    feature_not_available: () => connect("+16665550100", production),
    recipient_not_allowed: async () => connect(await createTestPhone(plain)),
    rate_limited: async () => {
      const handle = await createCustomer(plain);
      for (let code = 0; code < 5; code++) await connect(handle);
      return connect(handle);
    },
    state_conflict: async () => {
      const lineless = await createTestAccount({ type: "sandbox" });
      await sql.runText({
        text: "update lines set released_at = now() where account_id = $1",
        values: [lineless.ref.id],
      });
      return connect("+16665550100", lineless);
    },
    opted_out: async () => {
      const handle = await createCustomer(plain);
      await writeAs(plain, handle, { to: plain.line, text: "STOP" });
      return connect(handle);
    },
    recipient_blocked: async () => {
      const handle = await createCustomer(plain);
      await call("POST /v3/blocked_handles", { handle }, as(plain));
      return connect(handle);
    },
    line_restricted: async () => {
      const restricted = await createTestAccount({ type: "sandbox" });
      const handle = await createCustomer(restricted);
      return connect(handle, await flagged(restricted));
    },
  },
  "POST /v3/payments/handles/{handle}/verify": {
    field_missing: () => call(`POST /v3/payments/handles/${payer}/verify`, { code: "123456" }, as(plain)),
    parameter_invalid: async () => {
      const handle = await createCustomer(plain);
      const { connectId, code } = await requestCode(plain, handle);
      const wrong = { code: code === "000000" ? "000001" : "000000", connect_id: connectId };
      return call(`POST /v3/payments/handles/${handle}/verify`, wrong, as(plain));
    },
    phone_not_e164: () =>
      call("POST /v3/payments/handles/ada/verify", { code: "1", connect_id: "x" }, as(plain)),
  },
  "GET /v3/payments/handles/{handle}/connection": {
    phone_not_e164: () => call("GET /v3/payments/handles/ada/connection"),
  },
  "DELETE /v3/payments/handles/{handle}/connection": {
    phone_not_e164: () => call("DELETE /v3/payments/handles/ada/connection"),
    ...afterPreparing(async () => {
      const handle = await createIssuedPayer(account);
      return () => call(`DELETE /v3/payments/handles/${handle}/connection`);
    }),
  },
  "POST /v3/payments/providers/{provider}/connect": {
    field_missing: () => onboard("servicecard", {}),
    parameter_invalid: () => onboard("servicecard", { return_url: "javascript:alert(1)" }),
    name_unknown: () => onboard("unknown"),
    feature_not_available: () => onboard("servicecard", back, production),
    ...whileStripeFails(() => onboard("stripe_issuing", back, plain)),
  },
  "GET /v3/payments/providers/{provider}": {
    name_unknown: () => call("GET /v3/payments/providers/unknown"),
    feature_not_available: () => call("GET /v3/payments/providers/servicecard", undefined, as(production)),
  },
  "GET /v3/experiences/{experience}": {
    name_unknown: () => call("GET /v3/experiences/magic"),
  },
};

const TAGS: ReadonlySet<string> = new Set(["Payment requests", "Agent payments", "Experiences"]);

test("every error that a payments operation documents, and no other, has a request here that causes it", () => {
  const documented = operationsOf(routes)
    .filter(({ path, contract }) => path.startsWith("/v3/") && TAGS.has(contract.tag))
    .flatMap(({ method, path, contract }) => contract.errors.map((name) => `${method} ${path}: ${name}`));
  const earned = Object.entries(ROWS).flatMap(([operation, rows]) =>
    Object.keys(rows).map((name) => `${operation}: ${name}`),
  );
  expect(earned.toSorted()).toEqual(documented.toSorted());
});

const CASES = Object.entries(ROWS).flatMap(([operation, rows]) =>
  Object.entries(rows).map(([name, earn]) => ({ operation, name, earn })),
);

test.each(CASES)("$operation: $name", async ({ name, earn }) => {
  const row = Object.entries(ERRORS).find(([known]) => known === name)?.[1];
  const { status, body, headers } = await earn();
  expect([status, body.error?.code]).toEqual([row?.status, row?.code]);
  expect(body).toMatchObject({ success: false, trace_id: headers.get("x-trace-id") });
});
