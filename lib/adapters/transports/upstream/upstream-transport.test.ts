import "@/lib/testing/use-test-database";

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Connection, provideConnections, type VendorRequest } from "@/lib/adapters/transports/callback";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { provideSink, type Sink } from "@/lib/adapters/transports/sink";
import type { PolledPage, Running } from "@/lib/adapters/transports/transport";
import { upstreamTransport } from "@/lib/adapters/transports/upstream/upstream-transport";
import * as examples from "@/lib/messaging/messages/example-message";
import { FLAT_FORMATS } from "@/lib/messaging/messages/flat-message";
import { MessageEventData } from "@/lib/messaging/messages/message-event-data";
import { NESTED_FORMATS } from "@/lib/messaging/messages/nested-message";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { startFlakyProxy } from "@/lib/testing/processes/flaky-proxy";
import { type Peer, startPeer } from "@/lib/testing/processes/start-peer";
import { until } from "@/lib/testing/until";
import { createSimulator, type SimulatedPhone, type Simulator } from "@/lib/testkit/testing";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

const EXAMPLE_INBOUND = MessageEventData.parse(examples.EXAMPLE_INBOUND);
const EXAMPLE_OUTBOUND = MessageEventData.parse(examples.EXAMPLE_OUTBOUND);
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

let peer: Peer;
let sim: Simulator;
let proxy: Awaited<ReturnType<typeof startFlakyProxy>>;
let connection: Connection;
let line: LineRef;
const reported: InEvent[] = [];

const SINK: Sink = {
  async receive(_, events) {
    reported.push(...events);
  },
};

beforeAll(async () => {
  peer = await startPeer();
  proxy = await startFlakyProxy(peer.url);
  sim = await createSimulator({ url: peer.url, token: peer.token, webhooks: false, timeoutMs: 30_000 });
  await sim.limits.set({ daily_messages: null, pair_messages: null });
  line = { accountId: newId(1), id: newId(1), phoneNumber: "+12025550100", lineType: "iMessage" };
  connection = {
    base_url: proxy.url,
    api_token: sim.token,
    phone_number: sim.line,
    kind: "trunkline",
    subscription_id: newId(1),
    signing_secret: SECRET,
  };
  provideConnections(
    async () => connection,
    async (_, was, added) => {
      connection = { ...was, ...added };
      return true;
    },
  );
  provideSink(SINK);
  cursor = (await poll(null)).cursor;
});
afterAll(async () => {
  await proxy.close();
  await peer.close();
});

/** A phone of the peer whose person has written to the line. */
async function newPhone(): Promise<SimulatedPhone> {
  const phone = sim.phone();
  await phone.says("Hello");
  return phone;
}

const poll = (cursor: string | null, signal = AbortSignal.timeout(20_000)): Promise<PolledPage> => {
  const { poll: polling } = upstreamTransport;
  if (polling === undefined) throw new Error("the upstream is polled");
  return polling.read(line, connection, cursor, signal);
};

/** The peer's ids of the messages on a phone, oldest first. */
async function arrivalsOn(handle: string): Promise<string[]> {
  const { messages } = await sim.api.call("GET /simulator/phones/{handle}/messages", {
    path: { handle },
    query: {},
  });
  return messages.flatMap(({ from, message_id }) => (from === handle ? [] : (message_id ?? []))).toReversed();
}

/** Where the last listener stopped. */
let cursor: string | null = null;

/** Polls from where the last listener stopped, as the worker does. */
function listen(sink: Sink): Running {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      const page = await poll(cursor);
      await sink.receive(line, page.events.filter(isReceipt)).then(
        () => {
          cursor = page.cursor;
        },
        () => undefined,
      );
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}

const isReceipt = ({ type }: InEvent) => ["delivered", "read", "failed"].includes(type);

function sign(payload: unknown, secret = SECRET): VendorRequest {
  const body = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`evt.${timestamp}.`).update(body).digest("base64");
  return {
    method: "POST",
    url: `https://trunkline.test/inbound/lines/${line.id}`,
    headers: {
      "webhook-id": "evt",
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
    body,
  };
}

const envelope = (event_type: string, data: unknown) => ({
  api_version: "v3",
  event_type,
  event_id: newId(Date.now()),
  created_at: new Date().toISOString(),
  data,
});

const callback = (request: VendorRequest, kind: "trunkline" | "other" = "other") =>
  upstreamTransport.parseCallback?.(line, { ...connection, kind }, request) ?? expect.fail();

const { poll: _poll, ...withoutPoll } = upstreamTransport;

describe("conformance", () => {
  const phones = new Map<string, SimulatedPhone>();

  describeTransport(() => ({
    // Polls also report the state of the line, so they have tests of their own.
    transport: { ...withoutPoll, parseCallback: (_, _connection, request) => callback(request) },
    line,
    async recipient(behavior) {
      const phone = await newPhone();
      if (behavior === "rejects") {
        await sim.api.call("POST /v3/blocked_handles", { body: { handle: phone.handle } });
      }
      proxy.behave(phone.handle, behavior);
      phones.set(phone.handle, phone);
      return phone.handle;
    },
    async arrived(handle) {
      const sent = proxy.accepted.filter(({ to }) => to === handle);
      const keys = new Map(sent.map(({ messageId, key }) => [messageId, key]));
      return until(async () => {
        const arrivals = await arrivalsOn(handle);
        const isComplete = [...keys.keys()].every((id) => arrivals.includes(id));
        return isComplete && arrivals.map((id) => keys.get(id) ?? "unknown");
      });
    },
    async read(handle) {
      await phones.get(handle)?.reads();
    },
    newMessageId: () => newId(Date.now()),
    listen,
    callbacks: {
      connection,
      sign,
      receipts: envelope("message.read", {
        ...FLAT_FORMATS.read.render({
          ...EXAMPLE_OUTBOUND,
          message: { ...EXAMPLE_OUTBOUND.message, idempotency_key: newId(1) },
        }),
      }),
      receiptTypes: ["read"],
    },
  }));
});

function text(value: string, to: string): Outbound {
  const parts = [{ type: "text" as const, value, decorations: [], mentions: [], stickers: [] }];
  return {
    id: newId(Date.now()),
    line,
    service: "iMessage",
    to: [to],
    group: null,
    parts,
    effect: null,
    replyTo: null,
  };
}

const send = (outbound: Outbound) => upstreamTransport.send(outbound, AbortSignal.timeout(10_000));

describe("an unknown outcome", () => {
  test("is repeatable while the upstream can't be asked, and a repeat is the same message", async () => {
    const phone = await newPhone();
    proxy.behave(phone.handle, "lost_answer");
    const outbound = text("once only", phone.handle);
    await expect(send(outbound)).rejects.toMatchObject({ kind: "unknown_outcome" });
    proxy.setDown(true);
    expect(await upstreamTransport.outcome(line, outbound.id)).toEqual({ state: "repeatable" });
    expect(reported.at(-1)).toMatchObject({ type: "line", up: false });
    proxy.setDown(false);
    proxy.behave(phone.handle, "answers");
    const { refs } = await send(outbound);
    expect(await upstreamTransport.outcome(line, outbound.id)).toMatchObject({
      state: "accepted",
      accepted: { refs },
    });
    await phone.receives("once only");
    expect(await arrivalsOn(phone.handle)).toEqual(refs);
  });

  test("at another service is the only match on the newest page, and unknown among several", async () => {
    connection = { ...connection, kind: "other" };
    try {
      const phone = await newPhone();
      const first = text("the same words", phone.handle);
      await send(first);
      proxy.behave(phone.handle, "lost_answer");
      const second = text("other words", phone.handle);
      await expect(send(second)).rejects.toMatchObject({ kind: "unknown_outcome" });
      expect(await upstreamTransport.outcome(line, second.id)).toMatchObject({ state: "accepted" });
      proxy.behave(phone.handle, "lost_send");
      const third = text("the same words", phone.handle);
      await expect(send(third)).rejects.toMatchObject({ kind: "unknown_outcome" });
      // The first message has the same words, but is known to be another one.
      expect(await upstreamTransport.outcome(line, third.id)).toEqual({ state: "unknown" });
      expect(await upstreamTransport.outcome(line, newId(Date.now()))).toEqual({ state: "unknown" });
    } finally {
      connection = { ...connection, kind: "trunkline" };
    }
  });
});

describe("a lost lookup", () => {
  test("is repeated, and takes the line down only after the third in a row", async () => {
    const phone = await newPhone();
    proxy.behave(phone.handle, "lost_answer");
    const outbound = text("asked again", phone.handle);
    await expect(send(outbound)).rejects.toMatchObject({ kind: "unknown_outcome" });
    const before = reported.length;
    proxy.loseLookups(2);
    expect(await upstreamTransport.outcome(line, outbound.id)).toMatchObject({ state: "accepted" });
    expect(reported.slice(before).filter(({ type }) => type === "line")).toEqual([]);
    proxy.loseLookups(3);
    expect(await upstreamTransport.outcome(line, outbound.id)).toEqual({ state: "repeatable" });
    expect(reported.at(-1)).toMatchObject({ type: "line", up: false });
  });

  test("leaves a line that comes back with its next poll, however recent its last check", async () => {
    const polling = upstreamTransport.poll ?? expect.fail();
    const checked = await poll(null);
    expect((await poll(checked.cursor)).events).toEqual([]);
    const down = { ...line, isUp: false };
    const page = await polling.read(down, connection, checked.cursor, AbortSignal.timeout(9000));
    expect(page.events).toMatchObject([{ type: "line", up: true }]);
  });
});

describe("a webhook", () => {
  const reaction = (data: object) =>
    envelope("reaction.added", {
      is_from_me: false,
      message_id: newId(1),
      part_index: 0,
      from_handle: { handle: "+15550100101" },
      ...data,
    });

  test.each([
    [{ reaction_type: "custom", custom_emoji: "🦜" }, [{ reaction: { type: "custom", emoji: "🦜" } }]],
    [{ reaction_type: "sparkle", custom_emoji: "✨" }, [{ reaction: { type: "custom", emoji: "✨" } }]],
    [
      { reaction_type: "image", sticker: { url: "https://cdn.example/a.png" } },
      [{ reaction: { type: "sticker", emoji: null } }],
    ],
    [{ reaction_type: "love" }, [{ reaction: { type: "love" } }]],
    [{ reaction_type: "wave" }, [{ reaction: { type: "unknown" } }]],
  ])("of a reaction %j is never refused", async (data, events) => {
    expect((await callback(sign(reaction(data)))).events).toMatchObject(events);
  });

  test("of a message over a service that Trunkline lacks is a message", async () => {
    const data = { ...(FLAT_FORMATS.received.render(EXAMPLE_INBOUND) as object), service: "Carrier pigeon" };
    const { events } = await callback(sign(envelope("message.received", data)));
    expect(events).toMatchObject([{ type: "message", service: "SMS" }]);
  });
  const inbound = envelope("message.received", FLAT_FORMATS.received.render(EXAMPLE_INBOUND));

  test("with files whose URLs are missing or odd is a message with these files", async () => {
    const odd = [null, "", "not a URL", "https://example.com/100%.png"];
    const parts = odd.map((url) => ({ type: "media", url, mime_type: "image/png" }));
    const data = { ...(FLAT_FORMATS.received.render(EXAMPLE_INBOUND) as object), parts };
    const { events } = await callback(sign(envelope("message.received", data)));
    const { id } = EXAMPLE_INBOUND.message;
    const sources = [`${id}/0`, ...odd.slice(1)];
    expect(events).toMatchObject([
      { type: "message", parts: sources.map((source) => ({ type: "media", source })) },
    ]);
  });

  test("of a Trunkline only announces events, which the stream has in order", async () => {
    expect(await callback(sign(inbound), "trunkline")).toEqual({ events: [], reply: null, pollNow: true });
  });

  test("is read in both payload versions, with the same result", async () => {
    const nested = envelope("message.received", NESTED_FORMATS.received.render(EXAMPLE_INBOUND));
    const [flat, older] = await Promise.all([callback(sign(inbound)), callback(sign(nested))]);
    const { message, sender_handle } = EXAMPLE_INBOUND;
    for (const { events } of [flat, older]) {
      expect(events).toMatchObject([
        { type: "message", ref: message.id, from: sender_handle.handle, groupRef: null, service: "iMessage" },
      ]);
    }
  });

  test("of a message that another program sent reports nothing", async () => {
    const { message } = EXAMPLE_OUTBOUND;
    for (const idempotency_key of [null, "order-1"]) {
      const data = { ...EXAMPLE_OUTBOUND, message: { ...message, idempotency_key } };
      const { events } = await callback(sign(envelope("message.sent", FLAT_FORMATS.sent.render(data))));
      expect(events).toEqual([]);
    }
  });

  test.each(["message.edited", "call.ringing", "payment.succeeded", "unheard.of"])(
    "of the type %s without readable data is set aside or reports nothing",
    async (type) => {
      const { events } = await callback(sign(envelope(type, { id: 5 })));
      const kept = { type: "unreadable", payload: expect.stringContaining('"id":5') };
      expect(events).toEqual(type === "message.edited" ? [expect.objectContaining(kept)] : []);
    },
  );

  test("that is older than five minutes is refused", async () => {
    const request = sign(inbound);
    const timestamp = String(Math.floor(Date.now() / 1000) - 301);
    const old = { ...request, headers: { ...request.headers, "webhook-timestamp": timestamp } };
    await expect(callback(old)).rejects.toThrow();
  });
});

describe("a poll", () => {
  test("reads each message once and in order, and continues from its cursor", async () => {
    const phone = await newPhone();
    const { cursor: start } = await poll(null);
    for (let count = 0; count < 120; count++) await phone.says(`number ${count}`);
    const texts: string[] = [];
    let page = await poll(start);
    for (;;) {
      for (const event of page.events) if (event.type === "message") texts.push(textOf(event));
      if (!page.more) break;
      page = await poll(page.cursor);
    }
    expect(texts).toEqual(Array.from({ length: 120 }, (_, count) => `number ${count}`));
    expect((await poll(page.cursor)).events).toEqual([]);
  });

  test("takes the line down while the upstream can't be reached, and up again", async () => {
    const { cursor: start } = await poll(null);
    proxy.setDown(true);
    const down = await poll(start);
    expect(down.events).toMatchObject([{ type: "line", up: false }]);
    proxy.setDown(false);
    const up = await poll(down.cursor);
    expect(up.events).toMatchObject([{ type: "line", up: true, route: [expect.any(String)] }]);
  });

  test.each([
    ["a wrong token", { api_token: "tl_sandbox_wrong" }, "401"],
    ["a number that the account does not have", { phone_number: "+12025550199" }, "has no line"],
  ])("with %s says why the line is down", async (_, changed, reason) => {
    const polling = upstreamTransport.poll ?? expect.fail();
    const page = await polling.read(line, { ...connection, ...changed }, null, AbortSignal.timeout(9000));
    const [event] = page.events;
    expect(event).toMatchObject({ type: "line", up: false });
    expect(event?.type === "line" ? event.reason : "").toContain(reason === "401" ? "(2004)" : reason);
  });

  test("refuses an upstream line that leads back to this line", async () => {
    const polling = upstreamTransport.poll ?? expect.fail();
    const { phone_numbers } = await sim.api.call("GET /v3/phone_numbers");
    const itself = { ...line, id: phone_numbers[0]?.id ?? "" };
    const page = await polling.read(itself, connection, null, AbortSignal.timeout(9000));
    expect(page.events).toMatchObject([{ up: false, reason: "the upstream line leads back to this line" }]);
  });

  test("of another service finds missed messages on the newest pages", async () => {
    const other = { ...connection, kind: "other" };
    const polling = upstreamTransport.poll ?? expect.fail();
    const read = (from: string | null) => polling.read(line, other, from, AbortSignal.timeout(20_000));
    const first = await read(null);
    const phone = await newPhone();
    for (const value of ["one", "two", "three"]) await phone.says(value);
    const outbound = text("four", phone.handle);
    const { refs } = await send(outbound);
    await phone.receives("four");
    const receiptsOf = (events: readonly InEvent[]) =>
      events.filter((event) => "ref" in event && event.ref === refs[0]);
    // The pages may also hold messages of the tests before.
    const events = await until(async () => {
      const page = await read(first.cursor);
      return receiptsOf(page.events).some(({ type }) => type === "delivered") && page.events;
    });
    const own = events.filter((event) => event.type === "message" && event.from === phone.handle);
    expect(own.map((event) => (event.type === "message" ? textOf(event) : ""))).toEqual([
      "Hello",
      "one",
      "two",
      "three",
    ]);
    expect(receiptsOf(events).map(({ type }) => type)).toEqual(["sent", "delivered"]);
  });
});

function textOf({ parts }: InEvent<"message">): string {
  return parts.flatMap((part) => (part.type === "text" ? part.value : [])).join("");
}

function setBaseUrl(url: string): void {
  process.env.BASE_URL = url;
  reloadEnv();
}

describe("the subscription", () => {
  beforeAll(() => setBaseUrl("http://127.0.0.1:9"));
  afterAll(() => setBaseUrl("http://trunkline.test"));

  const list = async () => (await sim.api.call("GET /v3/webhook-subscriptions")).subscriptions;

  test("is created with its secret, repaired after a change, and replaced when its secret is lost", async () => {
    const { subscription_id, signing_secret, ...bare } = connection;
    connection = bare;
    await poll(null);
    const [created] = await list();
    expect(connection).toMatchObject({ subscription_id: created?.id, signing_secret: expect.any(String) });
    expect(created).toMatchObject({ is_active: true, phone_numbers: [sim.line] });

    await sim.api.call("PUT /v3/webhook-subscriptions/{subscriptionId}", {
      path: { subscriptionId: created?.id ?? "" },
      body: { is_active: false, phone_numbers: null },
    });
    await poll(null);
    expect(await list()).toMatchObject([{ id: created?.id, is_active: true, phone_numbers: [sim.line] }]);

    connection = bare;
    await poll(null);
    const subscriptions = await list();
    expect(subscriptions).toHaveLength(1);
    expect(subscriptions[0]?.id).not.toBe(created?.id);
    expect(connection.subscription_id).toBe(subscriptions[0]?.id);
  });
});
