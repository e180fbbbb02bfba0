import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { PaymentRequestBody } from "@/lib/payments/requests/create/payment-request-body";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { sql } from "@/lib/platform/database/db";
import { ERRORS } from "@/lib/platform/errors/errors";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

const operations = operationsOf(routes);
const UNKNOWN_ID = "01a00000-0000-7000-8000-000000000000";
const UNKNOWN_NUMBER = "+15550199999";
const ENVELOPE = {
  success: false,
  error: {
    status: expect.any(Number),
    code: expect.any(Number),
    message: expect.any(String),
    doc_url: expect.any(String),
  },
  trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
};

let ours: TestAccount;
let theirs: TestAccount;
/** The simulator is available only to sandbox accounts. */
let sandbox: TestAccount;
// One resource of another account for each type of id in a path.
let foreign: Record<string, string>;

beforeAll(async () => {
  ours = await createTestAccount({ type: "production" });
  theirs = await createTestAccount({ type: "production" });
  sandbox = await createTestAccount({ type: "sandbox" });
  const { chatId, messageId } = await theirs.sendFirst("+15550009999");
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: theirs.token,
    body: { target_url: "https://example.com/theirs", subscribed_events: ["message.sent"] },
  });
  const attachment = await callApi("POST /v3/attachments", {
    token: theirs.token,
    body: { filename: "theirs.png", content_type: "image/png", size_bytes: 10 },
  });
  const request = await createPaymentRequest(sandbox.context(), {
    headers: {},
    body: PaymentRequestBody.parse({ amount: 500, currency: "usd" }),
  });
  foreign = {
    paymentRequestId: request.id,
    chatId,
    messageId,
    subscriptionId: body.id,
    attachmentId: attachment.body.attachment_id,
    paymentId: await createForeignPayment(),
    phoneNumber: theirs.line,
    auditId: await createForeignAudit(),
  };
});

/** Responses don't contain the payment's id until its card is created. */
async function createForeignPayment(): Promise<string> {
  await callApi("POST /v3/payments", {
    token: sandbox.token,
    body: { amount_cents: 100, currency: "usd", handle: "+15550009999" },
  });
  const [row] = await sql.runText<{ id: string }>({ text: "select id from agent_payments" });
  return row?.id ?? "";
}

async function createForeignAudit(): Promise<string> {
  const { token, line } = theirs;
  return (await callApi(`POST /v3/phone_numbers/${line}/reputation_audit`, { token })).body.audit_id;
}

// Operations that take a line's id where similar ones take its number, or that name the line in the query.
const NEEDS: Readonly<Record<string, { phoneNumber?: string; eventType?: string; query?: string }>> = {
  "/simulator/trigger/{eventType}": { eventType: "message.received" },
  "/v3/phone_numbers/{phoneNumber}": { phoneNumber: UNKNOWN_ID },
  "/v3/contact_card": { query: "?phone_number=%2B15550199999" },
};

function pathWith(path: string, values: Record<string, string>): string {
  const { query = "", ...needed } = NEEDS[path] ?? {};
  const known: Record<string, string> = { name: "consumer", ...needed, ...values };
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => known[name] ?? (name.endsWith("Id") ? UNKNOWN_ID : UNKNOWN_NUMBER),
  );
  return filled + query;
}

describe.each(operations)("$method $path", ({ method, path, contract }) => {
  const ownToken = () => (path.startsWith("/simulator") ? sandbox : ours).token;
  const idNames = [...path.matchAll(/\{(\w+Id)\}/g)].map((match) => match[1] ?? "");
  const body = contract.body === undefined ? undefined : {};

  test("without a token it is 401/2004, in the envelope, with a trace id", async () => {
    const answer = await callApi(`${method} ${pathWith(path, {})}`, { body });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject(ENVELOPE);
    expect(answer.body.error.code).toBe(2004);
    expect(answer.headers.get("x-trace-id")).toBe(answer.body.trace_id);
  });

  test("a token that was revoked is refused on the next request", async () => {
    const account = await createTestAccount({ type: "production" });
    await account.revokeToken();
    const answer = await callApi(`${method} ${pathWith(path, {})}`, { token: account.token, body });
    expect(answer.body.error.code).toBe(2004);
  });

  // Clients of MCP read errors of JSON-RPC only, which contain those of the API.
  const refusal =
    path === "/mcp"
      ? { jsonrpc: "2.0", id: null, error: { data: { code: 1003 } } }
      : { ...ENVELOPE, error: { ...ENVELOPE.error, code: 1003 } };

  if (contract.body !== undefined) {
    test("malformed JSON is 400/1003", async () => {
      const answer = await callApi(`${method} ${pathWith(path, {})}`, {
        token: ownToken(),
        body: '{"message":',
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(refusal);
    });
  }

  if (contract.body !== undefined) {
    test("a body over the limit is 400/1003", async () => {
      const limit = contract.bodyLimitBytes ?? 1024 * 1024;
      const answer = await callApi(`${method} ${pathWith(path, {})}`, {
        token: ownToken(),
        body: JSON.stringify({ filler: "x".repeat(limit) }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(refusal);
    });
  }

  if (idNames.length > 0) {
    test("an id that is no UUID is 400/1005", async () => {
      const values = Object.fromEntries(idNames.map((name) => [name, "not-a-uuid"]));
      const answer = await callApi(`${method} ${pathWith(path, values)}`, { token: ownToken(), body });
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe(1005);
    });
  }

  if (idNames.length > 0) {
    test("an unknown id is 404, another account's 403/2005 (an attachment's 404/2003), and neither tells more", async () => {
      const valid = validBody(contract.summary);
      const unknown = await callApi(`${method} ${pathWith(path, {})}`, { token: ownToken(), body: valid });
      const other = await callApi(`${method} ${pathWith(path, foreign)}`, {
        token: ownToken(),
        body: valid,
      });
      expect(unknown.status).toBe(404);
      const refusal = idNames.includes("attachmentId") ? [404, 2003] : [403, 2005];
      expect([other.status, other.body.error.code]).toEqual(refusal);
      for (const id of Object.values(foreign)) expect(JSON.stringify(other.body)).not.toContain(id);
    });
  }

  test("every error it documents exists, and its success code fits its answer", () => {
    for (const name of contract.errors) expect(ERRORS[name]).toBeDefined();
    const isEmpty = (contract.returns ?? contract.streams) === undefined;
    // Queued actions may also be accepted with an empty response.
    expect(isEmpty ? [202, 204] : [200, 201, 202]).toContain(contract.status);
  });

  test("a method it does not have is 405/1003 with Allow", async () => {
    const answer = await callApi(`PATCH ${pathWith(path, {})}`, { token: ownToken(), body: {} });
    const has = operations.some((operation) => operation.path === path && operation.method === "PATCH");
    if (has) return;
    expect(answer.status).toBe(405);
    expect(answer.body.error.code).toBe(1003);
    expect(answer.headers.get("allow")).toContain(method);
  });
});

// Operations that reject `{}` before they look up the resource.
const VALID_BODIES: Readonly<Record<string, object>> = {
  "Send a message to a chat": { message: { parts: [{ type: "text", value: "hi" }] } },
  "Add a participant to a group": { handle: "+15550001111" },
  "Remove a participant from a group": { handle: "+15550001111" },
  "Update a group's name or icon": { display_name: "Friday dinner" },
  "Set a chat's background": { type: "color", variant: "mango" },
  "Edit a text part of a sent message": { text: "hi" },
  "Replace an iMessage app card": { layout: { caption: "Your move" } },
  "Add or remove a reaction": { operation: "add", type: "love" },
  "Move a sticker": { placement: { x: 0 } },
  "Send a poll to a chat": { poll: { options: [{ text: "yes" }, { text: "no" }] } },
  "Add options to a poll": { options: [{ text: "maybe" }] },
  "Vote in a poll": { operation: "add", option_id: UNKNOWN_ID },
  "Change a scheduled message": { send_at: "2026-03-02T10:30:00Z" },
  "Send a voice memo to a chat": { attachment_id: UNKNOWN_ID },
  "Replay events to a webhook subscription": { filter: { statuses: ["failed"] } },
  "Send a test to a webhook subscription": { type: "message.sent" },
  "Resume stopped chats of a webhook subscription": { action: "retry" },
};

function validBody(summary: string): unknown {
  const operation = operations.find(({ contract }) => contract.summary === summary);
  if (operation?.contract.body === undefined) return undefined;
  return VALID_BODIES[summary] ?? {};
}

test("an unknown route is 404/1003 in the envelope, under every prefix", async () => {
  for (const path of ["/v3", "/v3/nothing", "/api/partner/v3/nothing", "/simulator/nothing"]) {
    const answer = await callApi(`GET ${path}`, { token: ours.token });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ ...ENVELOPE, error: { ...ENVELOPE.error, code: 1003 } });
  }
});

test("an unknown /v2 route answers in the V2 error shape", async () => {
  const { status, body } = await callApi("GET /v2/chats");
  expect(status).toBe(404);
  expect(body).toMatchObject({ errors: [{ status: 404, code: "not_found" }] });
});
