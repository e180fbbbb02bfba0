import "@/lib/testing/use-test-database";

import http from "node:http";
import type { AddressInfo } from "node:net";
import { createEmulator, type Emulator } from "emulate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Connection, provideConnections, type VendorRequest } from "@/lib/adapters/transports/callback";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { openTwilioSession } from "@/lib/adapters/transports/twilio/twilio-session";
import { twilioTransport } from "@/lib/adapters/transports/twilio/twilio-transport";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { until } from "@/lib/testing/until";
import { signedForm, startFakeTwilio } from "@/lib/testing/vendors/fake-twilio";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1,localhost";

const ACCOUNT_SID = `AC${"0".repeat(32)}`;
const SERVICE_SID = `MG${"1".repeat(32)}`;
const TOKEN = "twilio-token";
const WEBHOOK = "https://trunkline.test/inbound/lines/1";
const PERSON = "+15550108000";
const line: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "RCS",
};

let twilio: Awaited<ReturnType<typeof startFakeTwilio>>;
let connection: Connection;
let reported: InEvent[] = [];
const sessions: Running[] = [];

const SINK: Sink = {
  async receive(_, events) {
    reported.push(...events);
  },
};

beforeAll(() => provideConnections(async () => connection));

async function start(more: Connection = {}, rcsSender?: string): Promise<void> {
  twilio = await startFakeTwilio({
    accountSid: ACCOUNT_SID,
    authToken: TOKEN,
    ...(rcsSender !== undefined && { rcsSender }),
  });
  connection = { account_sid: ACCOUNT_SID, auth_token: TOKEN, base_url: twilio.url, ...more };
  sessions.push(openTwilioSession(line, connection, SINK));
  await until(() => ups().length > 0);
}

async function stop(): Promise<void> {
  await Promise.all(sessions.splice(0).map((session) => session.stop()));
  await twilio.close();
  reported = [];
}

const ups = () => reported.flatMap((event) => (event.type === "line" ? event.up : []));

function message(to: string, parts: OutPart[], service: Outbound["service"] = "SMS"): Outbound {
  const id = newId(Date.now());
  return { id, line, service, to: [to], group: null, parts, effect: null, replyTo: null };
}

const text = (value: string): OutPart => ({
  type: "text",
  value,
  decorations: [],
  mentions: [],
  stickers: [],
});
const send = (outbound: Outbound) => twilioTransport.send(outbound, AbortSignal.timeout(5000));

/** Delivers the webhooks of Twilio to the sink, as the callback URL of the line does. */
function listen(sink: Sink): Running {
  twilio.callTo(async (request) => {
    const parsed = await twilioTransport.parseCallback?.(line, connection, request);
    return sink.receive(line, parsed?.events ?? []).then(
      () => true,
      () => false,
    );
  });
  return { stop: async () => twilio.callTo(null) };
}

describe("conformance", () => {
  let handles = 0;
  beforeAll(() => start());
  afterAll(stop);

  describeTransport(() => ({
    transport: {
      ...twilioTransport,
      // Phones show texts, not IDs.
      send: (outbound, signal) => twilioTransport.send({ ...outbound, parts: [text(outbound.id)] }, signal),
    },
    line,
    service: "SMS",
    async recipient(behavior) {
      const handle = `+1555012${1000 + ++handles}`;
      twilio.behave(handle, behavior);
      return handle;
    },
    arrived: async (handle) => twilio.messages.flatMap(({ to, body }) => (to === handle ? body : [])),
    read: async (handle) => twilio.report(handle, "read"),
    reportAgain: async (handle) => twilio.report(handle, "delivered"),
    newMessageId: () => newId(Date.now()),
    listen(sink) {
      // The suite counts receipts from the delivery on.
      return listen({
        receive: (to, events) =>
          sink.receive(
            to,
            events.filter(({ type }) => type !== "sent"),
          ),
      });
    },
    callbacks: {
      connection,
      sign: (payload, secret = TOKEN) => {
        if (typeof payload !== "string")
          return signedForm(secret, WEBHOOK, payload as Record<string, string>);
        const form = signedForm(secret, WEBHOOK, Object.fromEntries(new URLSearchParams(payload)));
        return { ...form, body: Buffer.from(payload) };
      },
      receipts: { MessageSid: "SM1", MessageStatus: "read", To: PERSON },
      receiptTypes: ["read"],
    },
  }));
});

describe("a line", () => {
  afterEach(stop);

  test("sends text and files with its number, and its message ID in the callback URL", async () => {
    await start();
    const file: OutPart = {
      type: "media",
      attachmentId: newId(1),
      filename: "menu.txt",
      mimeType: "text/plain",
      sizeBytes: 4,
      sticker: false,
      open: async () => (async function* () {})(),
      url: () => `${twilio.url}/storage/none`,
    };
    await expect(send(message(PERSON, [text("menu"), file]))).rejects.toMatchObject({ kind: "rejected" });
    const outbound = message(PERSON, [text("one"), text("two")]);
    const { refs } = await send(outbound);
    expect(twilio.messages).toMatchObject([{ sid: refs[0], from: line.phoneNumber, body: "one\ntwo" }]);
    expect(twilio.messages[0]?.callback).toContain(`/inbound/lines/${line.id}?message=${outbound.id}`);
  });

  test("a long text is several messages, none of which ends within an emoji", async () => {
    await start();
    const value = `${"a".repeat(1598)}👨‍👩‍👧‍👦${"b".repeat(1700)}`;
    const { refs } = await send(message(PERSON, [text(value)]));
    expect(refs).toHaveLength(3);
    const bodies = twilio.messages.map(({ body }) => body);
    expect(bodies.join("")).toBe(value);
    expect(bodies[0]).toBe("a".repeat(1598));
  });

  test("with an RCS sender, receipts say over which service a message went", async () => {
    await start({ messaging_service_sid: SERVICE_SID, rcs: "on", fallback_from: "+12025550177" }, "brand");
    expect(await twilioTransport.probe(line, PERSON, "RCS")).toBe("yes");
    expect(await twilioTransport.probe(line, PERSON, "iMessage")).toBe("no");
    twilio.giveRcs(PERSON);
    const other = "+15550108001";
    const overRcs = await send(message(PERSON, [text("hello")], "RCS"));
    const overSms = await send(message(other, [text("hello")], "RCS"));
    listen(SINK);
    await until(() => reported.filter(({ type }) => type === "delivered").length === 2);
    const delivered = reported.filter((event) => event.type === "delivered");
    expect(delivered).toMatchObject([
      { ref: overRcs.refs[0], service: "RCS" },
      { ref: overSms.refs[0], service: "SMS" },
    ]);
    expect(twilio.messages.at(-1)?.from).toBe("+12025550177");
  });

  test.each([
    [{ createCode: 21211 }, "rejected"],
    [{ createCode: 21611 }, "rate_limited"],
    [{ createCode: 20429 }, "rate_limited"],
    [{ createCode: 63036 }, "not_reachable"],
    [{ createCode: 63005 }, "unsupported"],
    [{ createCode: 99999 }, "rejected"],
  ] as const)("an error of Twilio %j is %s", async (behavior, kind) => {
    await start();
    twilio.behave(PERSON, behavior);
    await expect(send(message(PERSON, [text("hello")]))).rejects.toMatchObject({ kind });
  });

  test.each([
    ["the account does not exist", { createCode: 20404, status: 404 }, "Twilio 20404"],
    ["the credentials are wrong", { createCode: 20003, status: 401 }, "Twilio 20003"],
    ["the sender is no number of the account", { createCode: 21606 }, "Twilio 21606"],
    ["the Messaging Service has no sender", { createCode: 21703 }, "Twilio 21703"],
    ["the URL redirects", { foreignStatus: 302 }, "status 302"],
    ["the URL is that of another service", { foreignStatus: 404 }, "status 404"],
  ] as const)(
    "a message is held and the line is down with the reason when %s",
    async (_, behavior, reason) => {
      await start();
      twilio.behave(PERSON, behavior);
      await expect(send(message(PERSON, [text("hello")]))).rejects.toMatchObject({ kind: "line_down" });
      expect(reported.at(-1)).toMatchObject({
        type: "line",
        up: false,
        reason: expect.stringContaining(reason),
      });
    },
  );

  test.each([
    ["7", 7000],
    ["99999", 600_000],
    ["soon", 1000],
  ])("a rate limit with Retry-After %s is waited for %i ms", async (retryAfter, retryAfterMs) => {
    await start();
    twilio.behave(PERSON, { createCode: 20429, retryAfter });
    await expect(send(message(PERSON, [text("hello")]))).rejects.toMatchObject({
      kind: "rate_limited",
      retryAfterMs,
    });
  });

  test("a Twilio that fails takes the line down with the first message, and the others are held until it works", async () => {
    await start();
    twilio.behave(PERSON, { createCode: 20500, status: 503 });
    await expect(send(message(PERSON, [text("one")]))).rejects.toMatchObject({ kind: "unknown_outcome" });
    expect(reported.at(-1)).toMatchObject({ up: false, reason: "Twilio responded with status 503" });
    const other = message("+15550108001", [text("two")]);
    await expect(send(other)).rejects.toMatchObject({ kind: "line_down" });
    expect(await twilioTransport.outcome(line, other.id)).toEqual({ state: "absent" });
    await until(() => ups().at(-1) === true);
    await send(other);
    expect(twilio.messages.map(({ body }) => body)).toEqual(["two"]);
  });

  test("a message that fails while the line comes up again takes it down only until the next check", async () => {
    twilio = await startFakeTwilio({ accountSid: ACCOUNT_SID, authToken: TOKEN });
    connection = { account_sid: ACCOUNT_SID, auth_token: TOKEN, base_url: twilio.url };
    let storeUp = () => {};
    const stored = new Promise<void>((resolve) => {
      storeUp = resolve;
    });
    sessions.push(
      openTwilioSession(line, connection, {
        async receive(to, events) {
          await SINK.receive(to, events);
          await stored;
        },
      }),
    );
    await until(() => ups().length === 1);
    twilio.behave(PERSON, { createCode: 20500, status: 503 });
    const failed = expect(send(message(PERSON, [text("one")]))).rejects.toMatchObject({
      kind: "unknown_outcome",
    });
    const other = "+15550108001";
    twilio.behave(other, "rejects");
    const kindOf = () => send(message(other, [text("two")])).catch(({ kind }) => kind);
    await until(async () => (await kindOf()) === "line_down");
    storeUp();
    await failed;
    await until(() => ups().length === 3);
    expect(ups()).toEqual([true, false, true]);
    expect(await kindOf()).toBe("rejected");
  });

  test.each([
    [30003, "not_reachable"],
    [30007, "rejected"],
    [30008, "undeliverable"],
    [12345, "undeliverable"],
  ])("a status callback with the error %i is a failure of the kind %s", async (failCode, kind) => {
    await start();
    twilio.behave(PERSON, { failCode });
    const { refs } = await send(message(PERSON, [text("hello")]));
    listen(SINK);
    const failed = await until(() => reported.find((event) => event.type === "failed"));
    expect(failed).toMatchObject({ ref: refs[0], error: { kind } });
  });

  test("a recipient who opted out at Twilio is reported as opted out, from the response and from a callback", async () => {
    await start();
    twilio.optOut(PERSON);
    await expect(send(message(PERSON, [text("hello")]))).rejects.toMatchObject({ kind: "rejected" });
    expect(reported.filter(({ type }) => type === "opt_out")).toMatchObject([{ from: PERSON }]);
    const other = "+15550108002";
    twilio.behave(other, { failCode: 21610 });
    await send(message(other, [text("hello")]));
    listen(SINK);
    await until(() => reported.filter(({ type }) => type === "opt_out").length === 2);
    expect(reported.at(-1)).toMatchObject({ type: "opt_out", from: other });
  });

  test("a STOP that Twilio handled opts out, whatever its case", async () => {
    await start();
    listen(SINK);
    twilio.write(WEBHOOK, { From: PERSON, To: line.phoneNumber, Body: "stop", OptOutType: "STOP" });
    await until(() => reported.some(({ type }) => type === "opt_out"));
    expect(reported.slice(-2)).toMatchObject([
      { type: "message", from: PERSON },
      { type: "opt_out", from: PERSON, keyword: "stop" },
    ]);
  });

  test("inbound files are fetched with the credentials, which the storage never gets", async () => {
    await start();
    listen(SINK);
    const bytes = Buffer.from("an image");
    twilio.write(WEBHOOK, { From: `rcs:${PERSON}`, To: "rcs:brand", Body: "look" }, [
      { contentType: "image/jpeg", bytes },
    ]);
    const received = await until(() => reported.find((event) => event.type === "message"));
    expect(received).toMatchObject({ from: PERSON, service: "RCS" });
    const file = received.parts.find((part) => part.type === "media");
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await file?.open()) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
    expect(file?.mimeType).toBe("image/jpeg");
  });

  test("a callback proves a message whose response was lost", async () => {
    await start();
    twilio.behave(PERSON, "lost_answer");
    const outbound = message(PERSON, [text("hello")]);
    await expect(send(outbound)).rejects.toMatchObject({ kind: "unknown_outcome" });
    listen(SINK);
    const sent = await until(() => reported.find((event) => event.type === "sent"));
    expect(sent).toMatchObject({ messageId: outbound.id, ref: twilio.messages[0]?.sid });
  });

  test("wrong credentials take the line down until they work", async () => {
    await start();
    twilio.suspend(true);
    await expect(send(message(PERSON, [text("hello")]))).rejects.toMatchObject({ kind: "line_down" });
    expect(ups().at(-1)).toBe(false);
    twilio.suspend(false);
    await until(() => ups().at(-1) === true);
    await send(message(PERSON, [text("hello")]));
    expect(twilio.messages).toHaveLength(1);
  });

  test("a peer that is down at the start holds the line, and nothing is sent twice afterwards", async () => {
    await start();
    const { port } = twilio;
    await stop();
    sessions.push(openTwilioSession(line, connection, SINK));
    await until(() => ups().at(-1) === false);
    const outbound = message(PERSON, [text("hello")]);
    await expect(send(outbound)).rejects.toMatchObject({ kind: "line_down" });
    expect(await twilioTransport.outcome(line, outbound.id)).toEqual({ state: "absent" });
    twilio = await startFakeTwilio({ accountSid: ACCOUNT_SID, authToken: TOKEN, port });
    await until(() => ups().at(-1) === true);
    await send(outbound);
    expect(twilio.messages).toHaveLength(1);
  });
});

describe("a webhook", () => {
  const SETTINGS: Connection = {
    account_sid: ACCOUNT_SID,
    auth_token: TOKEN,
    base_url: "http://127.0.0.1:9",
  };
  const parse = async (form: Record<string, string>, settings: Connection = SETTINGS, url = WEBHOOK) => {
    const fields = { MessageSid: "SM1", From: PERSON, To: line.phoneNumber, ...form };
    const parsed = await twilioTransport.parseCallback?.(line, settings, signedForm(TOKEN, url, fields));
    if (parsed === undefined) throw new Error("Twilio has callbacks");
    return parsed;
  };
  const eventOf = async (form: Record<string, string>) => (await parse(form)).events[0];

  test.each([
    ["+12025550111", "+12025550111", "SMS"],
    ["68849", "68849", "SMS"],
    ["SUPPORT", "SUPPORT", "SMS"],
    ["whatsapp:+12025550111", "whatsapp:+12025550111", "SMS"],
    ["rcs:+12025550111", "+12025550111", "RCS"],
  ])("of the sender %s is a message of %s over %s", async (From, from, service) => {
    expect(await eventOf({ From, Body: "hello" })).toMatchObject({ type: "message", from, service });
  });

  test.each([
    ["a chosen button", { Body: "", ButtonText: "Yes, please" }, "Yes, please"],
    ["a chosen list entry", { Body: "", ListTitle: "Tuesday" }, "Tuesday"],
    [
      "a place",
      { Body: "", Latitude: "38.9", Longitude: "-77.03", Label: "Café", Address: "1 Main St" },
      "Café\n1 Main St\nhttps://maps.google.com/?q=38.9,-77.03",
    ],
    ["a text with fields that are not known", { Body: "hi", ChannelMetadata: "{}", Surprise: "1" }, "hi"],
    ["nothing that is known", { Body: "", Contacts: "1" }, "[…]"],
  ])("with %s is a text", async (_, form, value) => {
    expect(await eventOf(form as Record<string, string>)).toMatchObject({ parts: [{ type: "text", value }] });
  });

  test("has the files that it lists and those that it announces, with a source to fetch them again", async () => {
    const url = "https://api.twilio.com/2010-04-01/Accounts/AC/Messages/MM1/Media/ME456";
    const form = { Body: "two", NumMedia: "2", MediaUrl0: url, MediaContentType0: "image/jpeg" };
    const event = await eventOf(form);
    const parts = event?.type === "message" ? event.parts : [];
    expect(parts).toMatchObject([
      { type: "text", value: "two" },
      { type: "media", filename: "ME456", mimeType: "image/jpeg", source: url },
      { type: "media", filename: "file-2", mimeType: null },
    ]);
    const missing = parts[2];
    await expect(missing?.type === "media" && missing.open()).rejects.toThrow("no URL");
    const many = await eventOf({ NumMedia: "11", MediaUrl0: url });
    expect(many?.type === "message" && many.parts.length).toBe(10);
  });

  test("to another number than the line's is about that number; RCS senders and the line's own numbers are not", async () => {
    const service = { ...SETTINGS, messaging_service_sid: SERVICE_SID, fallback_from: "+12025550177" };
    const about = async (To: string, more: Record<string, string> = {}) =>
      (await parse({ To, Body: "hi", ...more }, service)).about;
    expect(await about("+12025550199")).toEqual({ number: "+12025550199", mayBeOwn: false });
    expect(await about("+12025550199", { MessagingServiceSid: SERVICE_SID })).toMatchObject({
      mayBeOwn: true,
    });
    for (const own of [line.phoneNumber, "+12025550177", "rcs:brand", "68849"]) {
      expect(await about(own)).toBeUndefined();
    }
  });

  test("about a status names the message of its URL, whichever number sent it, and else the line of the number", async () => {
    const id = newId(1);
    const status = { MessageStatus: "delivered", From: "+12025550199", To: PERSON };
    const named = await parse(status, SETTINGS, `${WEBHOOK}?message=${id}`);
    expect(named).toMatchObject({ events: [{ type: "delivered", messageId: id, service: "SMS" }] });
    expect(named.about).toBeUndefined();
    expect((await parse(status)).about).toEqual({ number: "+12025550199", mayBeOwn: true });
  });

  test("with a status that is not known reports nothing, and one with only the names from before MMS is read", async () => {
    expect((await parse({ MessageStatus: "teleported" })).events).toEqual([]);
    const old = { MessageSid: "", SmsSid: "SM9", SmsStatus: "received", Body: "old" };
    expect((await parse({ ...old, MessageSid: "SM9" })).events).toMatchObject([
      { type: "message", ref: "SM9" },
    ]);
  });
});

describe("with the npm package emulate", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await createEmulator({
      service: "twilio",
      port: 4790,
      seed: {
        twilio: {
          account: { sid: ACCOUNT_SID, auth_token: TOKEN },
          phone_numbers: [{ phone_number: line.phoneNumber }],
        },
      },
    });
  });
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.stop()));
    await emulator.close();
    reported = [];
  });

  test("a message is created with the form of the API, and its signed callback is a receipt", async () => {
    const callbacks: VendorRequest[] = [];
    const receiver = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = request.headers as Record<string, string>;
      const url = `${process.env.BASE_URL}${request.url}`;
      callbacks.push({ method: "POST", url, headers, body: Buffer.concat(chunks) });
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    process.env.BASE_URL = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    reloadEnv();
    try {
      connection = { account_sid: ACCOUNT_SID, auth_token: TOKEN, base_url: emulator.url };
      sessions.push(openTwilioSession(line, connection, SINK));
      await until(() => ups().length > 0);
      const outbound = message(PERSON, [text("hello emulator")]);
      const { refs } = await send(outbound);
      const path = `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/${refs[0]}.json`;
      const authorization = `Basic ${Buffer.from(`${ACCOUNT_SID}:${TOKEN}`).toString("base64")}`;
      const response = await fetch(`${emulator.url}${path}`, { headers: { authorization } });
      expect(await response.json()).toMatchObject({
        body: "hello emulator",
        to: PERSON,
        from: line.phoneNumber,
      });
      const callback = await until(() => callbacks[0]);
      const parsed = await twilioTransport.parseCallback?.(line, connection, callback);
      expect(parsed?.events).toMatchObject([{ ref: refs[0], messageId: outbound.id }]);
    } finally {
      delete process.env.BASE_URL;
      reloadEnv();
      receiver.close();
    }
  });
});
