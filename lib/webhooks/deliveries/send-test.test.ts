import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { POST as testRoute } from "@/app/api/webhooks/[subscriptionId]/test/route";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let theirs: TestAccount;
let developer: DashboardUser;
const receivers: Receiver[] = [];

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  theirs = await createTestAccount({ type: "sandbox" });
  developer = await signInAs(account, "developer");
});

afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

async function receive(...parameters: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...parameters);
  receivers.push(receiver);
  return receiver;
}

async function subscribe(targetUrl: string): Promise<{ id: string; signing_secret: string }> {
  const { status, body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: targetUrl, subscribed_events: ["message.sent"] },
  });
  expect(status).toBe(201);
  return body;
}

function send(subscriptionId: string, body: object, by = developer) {
  return by.call(testRoute, { method: "POST", params: { subscriptionId }, body });
}

/** Resets the rate limit, so that a subscription can be tested again immediately. */
async function rest(): Promise<void> {
  await sql.runText({ text: "update webhook_subscriptions set tested_at = null" });
}

async function emit(): Promise<{ id: string; seq: number }> {
  const id = newId(now().getTime());
  const event = testEvent(account.ref.id, { id });
  await transaction((tx) => emitEvents(tx, [event]));
  const [row] = await sql.runText<{ seq: number }>({
    text: "select seq::int from events where id = $1",
    values: [id],
  });
  return { id, seq: row?.seq ?? 0 };
}

describe("a test", () => {
  test("is posted as a delivery would be, marked and signed, and its answer comes back at once", async () => {
    const receiver = await receive((response) =>
      response.writeHead(202, { "x-request-id": "r1" }).end("thanks"),
    );
    const { id, signing_secret } = await subscribe(`${receiver.url}?version=2025-01-01`);
    const { status, body } = await send(id, { type: "message.received" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      delivered: true,
      status_code: 202,
      error: null,
      explanation: null,
      response_body: "thanks",
      response_headers: { "x-request-id": "r1" },
      request: { url: `${receiver.url}?version=2025-01-01` },
      timing: { first_byte_ms: expect.any(Number) },
    });
    expect(body.latency_ms).toBeGreaterThan(0);

    const [webhook] = receiver.received;
    expect(webhook?.headers).toMatchObject({
      "x-webhook-test": "true",
      "x-webhook-event": "message.received",
      "x-webhook-subscription-id": id,
    });
    expect(webhook?.headers).not.toHaveProperty("x-webhook-replay");
    const payload = new Webhook(signing_secret).verify(webhook?.body ?? "", webhook?.headers ?? {});
    expect(payload).toEqual(body.payload);
    expect(payload).toMatchObject({
      webhook_version: "2025-01-01",
      event_type: "message.received",
      partner_id: account.ref.partnerId,
      data: { is_from_me: false },
    });
  });

  test("has an id of its own each time, and leaves no event, delivery or attempt, but an audit entry", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    const count = async () =>
      sql.runText({
        text: `select (select count(*) from events) as events, (select count(*) from webhook_deliveries) as deliveries,
                 (select count(*) from webhook_attempts) as attempts`,
      });
    const before = await count();
    const first = await send(id, { type: "chat.created" });
    await rest();
    const second = await send(id, { type: "chat.created" });
    expect(first.body.payload.event_id).not.toBe(second.body.payload.event_id);
    expect(await count()).toEqual(before);
    const entries = await sql.runText({
      text: "select actor_id, detail from audit_entries where action = 'webhook_subscription.tested' and object_id = $1",
      values: [id],
    });
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      actor_id: developer.id,
      detail: { event_type: "chat.created", status_code: 200 },
    });
  });

  test("can be of every type there is", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    for (const type of EVENT_TYPES) {
      await rest();
      expect((await send(id, { type })).body).toMatchObject({
        delivered: true,
        payload: { event_type: type },
      });
    }
  });

  test("can be a real event of the past, with its id", async () => {
    const event = await emit();
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    const { body } = await send(id, { event_seq: event.seq });
    expect(body.payload.event_id).toBe(event.id);
    expect(receiver.received[0]?.headers).toMatchObject({ "webhook-id": event.id, "x-webhook-test": "true" });
  });

  test("reaches a paused subscription too, and a 410 to it disables nothing", async () => {
    const receiver = await receive((response) => response.writeHead(410).end());
    const { id } = await subscribe(receiver.url);
    await send(id, { type: "message.sent" });
    const { body } = await callApi(`GET /v3/webhook-subscriptions/${id}`, { token: account.token });
    expect(body.is_active).toBe(true);
    await callApi(`PUT /v3/webhook-subscriptions/${id}`, {
      token: account.token,
      body: { is_active: false },
    });
    await rest();
    expect((await send(id, { type: "message.sent" })).body.status_code).toBe(410);
    expect(receiver.received).toHaveLength(2);
  });
});

describe("what went wrong is said, and what to do about it, when the endpoint", () => {
  test.each([
    [404, "path"],
    [302, "does not follow redirects"],
    [401, "signature"],
    [418, "does not retry"],
    [503, "log"],
  ])("answers %i", async (status, words) => {
    const receiver = await receive((response) =>
      response.writeHead(status, { location: "/elsewhere" }).end("no"),
    );
    const { id } = await subscribe(receiver.url);
    const { body } = await send(id, { type: "message.sent" });
    expect(body).toMatchObject({ delivered: false, status_code: status, error: null, response_body: "no" });
    expect(body.explanation).toContain(words);
    expect(receiver.received).toHaveLength(1);
  });

  test("does not listen", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    await receiver.close();
    const { body } = await send(id, { type: "message.sent" });
    expect(body).toMatchObject({
      delivered: false,
      status_code: null,
      error: "refused",
      response_body: null,
    });
    expect(body.explanation).toContain("No server is listening");
  });

  test("is a private address by now: it is not reached", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    const { port } = new URL(receiver.url);
    await sql.runText({
      text: "update webhook_subscriptions set target_url = $2 where id = $1",
      values: [id, `http://[::1]:${port}/`],
    });
    const { body } = await send(id, { type: "message.sent" });
    expect(body).toMatchObject({ delivered: false, error: "private_target" });
    expect(receiver.received).toHaveLength(0);
  });

  test("answers more than 4 KB: the rest is dropped", async () => {
    const receiver = await receive((response) => response.end("x".repeat(10_000)));
    const { id } = await subscribe(receiver.url);
    const { body } = await send(id, { type: "message.sent" });
    expect(body.response_body).toBe("x".repeat(4096));
  });
});

describe("a test is refused", () => {
  test("the second time within a second: 429/1007", async () => {
    const receiver = await receive();
    const { id } = await subscribe(receiver.url);
    const answers = await Promise.all([1, 2, 3].map(() => send(id, { type: "message.sent" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error).toMatchObject({ code: 1007, retry_after: 1 });
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(receiver.received).toHaveLength(1);
  });

  test("to support and viewers, and to other accounts: 403/2005", async () => {
    const { id } = await subscribe("https://example.com/roles");
    const users = [
      await signInAs(account, "support"),
      await signInAs(account, "viewer"),
      await signInAs(theirs, "admin"),
    ];
    for (const user of users) {
      const { status, body } = await send(id, { type: "message.sent" }, user);
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 2005 });
    }
  });

  test.each([
    [{}, 1005],
    [{ type: "message.sent", event_seq: 1 }, 1005],
    [{ type: "message.nonsense" }, 1005],
    [{ event_seq: -1 }, 1005],
  ])("for %j: 400/%i", async (body, code) => {
    const { id } = await subscribe(`https://example.com/${newId(now().getTime())}`);
    const answer = await send(id, body);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code });
  });

  test("for an event of another account, or none: 404; for a type its version does not have: 400", async () => {
    const { seq } = await emit();
    const { body: foreign } = await callApi("POST /v3/webhook-subscriptions", {
      token: theirs.token,
      body: { target_url: "https://example.com/theirs", subscribed_events: ["message.sent"] },
    });
    const stranger = await signInAs(theirs, "admin");
    expect((await send(foreign.id, { event_seq: seq }, stranger)).status).toBe(404);
    const { id } = await subscribe("https://example.com/old?version=2025-01-01");
    expect((await send(id, { event_seq: 999_999_999 })).status).toBe(404);
    expect((await send(id, { type: "message.edited" })).body.error.code).toBe(1005);
  });
});

test("a test with a wrong signature reaches an endpoint that verifies signatures, which rejects it", async () => {
  const verified: boolean[] = [];
  const secrets: string[] = [];
  const receiver = await receive((response) => {
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: "" };
    try {
      new Webhook(secrets[0] ?? "").verify(body, headers);
      verified.push(true);
      response.end("ok");
    } catch {
      verified.push(false);
      response.writeHead(401).end();
    }
  });
  const { id, signing_secret } = await subscribe(receiver.url);
  secrets.push(signing_secret);

  const valid = await send(id, { type: "message.sent" });
  await rest();
  const wrong = await send(id, { type: "message.sent", signature: "wrong" });

  expect(verified).toEqual([true, false]);
  expect(valid.body).toMatchObject({ delivered: true, status_code: 200 });
  expect(wrong.body).toMatchObject({ delivered: false, status_code: 401 });
  const [{ signature = null } = {}] = await sql.runText<{ signature: string | null }>({
    text: `select detail->>'signature' as signature from audit_entries
           where action = 'webhook_subscription.tested' and object_id = $1 order by id desc limit 1`,
    values: [id],
  });
  expect(signature).toBe("wrong");
});
