import "@/lib/testing/use-test-database";

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVENT_KINDS, EVENT_TYPES, eventVersions } from "@/lib/events/catalog/event-types";
import { envelopeSchema } from "@/lib/events/catalog/render-event";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";

const SENT_TYPES = EVENT_TYPES.filter((type) => !EVENT_KINDS[type].neverSent);

let account: TestAccount;
let worker: Worker;
let receiver: Receiver;
let subscription: { id: string; signing_secret: string };

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  worker = await startWorker();
  receiver = await startReceiver();
  const body = {
    target_url: receiver.url,
    subscribed_events: [...SENT_TYPES],
    phone_numbers: [account.line],
  };
  const created = await call("POST /v3/webhook-subscriptions", body);
  expect(created.status).toBe(201);
  subscription = created.body;
});

afterAll(async () => {
  await worker.stop();
  await receiver.close();
});

const call = (what: `${string} ${string}`, body?: object) => callApi(what, { token: account.token, body });
const trigger = (type: string, body?: object) => call(`POST /simulator/trigger/${type}`, body);

async function delivered(eventId: string) {
  const found = await until(() => receiver.received.find(({ headers }) => headers["webhook-id"] === eventId));
  return { ...found, envelope: JSON.parse(found.body) };
}

test.each(SENT_TYPES)("%s is stored and delivered, signed and valid against its schema", async (type) => {
  const { status, body } = await trigger(type);
  expect(status).toBe(201);
  expect(body.deliveries).toMatchObject([{ subscription_id: subscription.id }]);

  const { envelope, headers, body: text } = await delivered(body.event_id);
  expect(new Webhook(subscription.signing_secret).verify(text, headers)).toEqual(envelope);
  const version = eventVersions(type).at(-1) ?? "2026-02-03";
  expect(envelope.webhook_version).toBe(version);
  expect(envelopeSchema(type, [version]).safeParse(envelope).error).toBeUndefined();
  expect(envelope.partner_id).toBe(account.ref.partnerId);
});

describe("an event", () => {
  test("has the chosen ids, line and values, and is listed like any other", async () => {
    const ids = {
      event_id: crypto.randomUUID(),
      chat_id: crypto.randomUUID(),
      message_id: crypto.randomUUID(),
      line: account.line,
    };
    const parts = [{ type: "text", value: "STOP", text_decorations: null }];
    const answer = await trigger("message.received", {
      ids,
      data: { parts, service: "SMS", chat: { is_group: true }, sender_handle: { handle: "+12025550177" } },
    });
    expect(answer).toMatchObject({ status: 201, body: { event_id: ids.event_id } });
    const { envelope } = await delivered(ids.event_id);
    expect(envelope.data).toMatchObject({
      id: ids.message_id,
      chat: { id: ids.chat_id, is_group: true, owner_handle: { handle: account.line } },
      parts: [{ type: "text", value: "STOP" }],
      service: "SMS",
      sender_handle: { handle: "+12025550177" },
    });
    const { body } = await call(`GET /simulator/events?type=message.received&contains=${ids.chat_id}`);
    expect(body.events[0].event_id).toBe(ids.event_id);

    const again = await trigger("message.received", { ids });
    expect([again.status, again.body.error.code]).toEqual([409, 2015]);
  });

  test("has times around now and new ids unless they are chosen", async () => {
    const [first, second] = [await trigger("message.sent"), await trigger("message.sent")];
    const sent = [await delivered(first.body.event_id), await delivered(second.body.event_id)];
    const messages = new Set(sent.map(({ envelope }) => envelope.data.id));
    expect(messages.size).toBe(2);
    const age = Date.now() - new Date(sent[0]?.envelope.data.sent_at).getTime();
    expect(Math.abs(age)).toBeLessThan(60_000);
    expect(second.body.sequence).toBeGreaterThan(first.body.sequence);
  });

  test.each([
    ["message.received", { data: { unknown_name: 1 } }],
    ["message.received", { data: { service: "Fax" } }],
    ["message.sent", { data: { read_at: "2026-03-01T12:00:00.000Z" } }],
    ["message.received", { ids: { chat_id: "x" } }],
    ["message.unknown", {}],
    ["call.ringing", {}],
  ])("%s with %j is refused, and nothing is stored", async (type, body) => {
    const answer = await trigger(type, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 1005]);
  });

  test("can't be on another account's line", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const answer = await trigger("message.received", { ids: { line: other.line } });
    expect(answer.body.error.code).toBe(2006);
  });
});
