import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "@/lib/adapters/transports/callback";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { openSession } from "@/lib/adapters/transports/smpp/smpp-session";
import { smppTransport } from "@/lib/adapters/transports/smpp/smpp-transport";
import type { Running } from "@/lib/adapters/transports/transport";
import { firstIdAt, newId } from "@/lib/platform/ids";
import { startTcpProxy } from "@/lib/testing/servers/start-tcp-proxy";
import { TEST_CERTIFICATE } from "@/lib/testing/servers/test-certificate";
import { until } from "@/lib/testing/until";
import { type SmscOptions, startSmsc } from "@/lib/testing/vendors/smsc";

const PERSON = "+15550107000";
let numbers = 0;

const ALLOWED = "127.0.0.1,localhost";
process.env.TRANSPORT_ALLOW_PRIVATE = ALLOWED;

function newLine(): LineRef {
  const phoneNumber = `+1202555${String(1000 + ++numbers)}`;
  return { accountId: newId(1), id: newId(Date.now()), phoneNumber, lineType: "iMessage" };
}

function connectionTo(port: number, more: Connection = {}): Connection {
  return {
    host: "127.0.0.1",
    port: String(port),
    tls: "off",
    system_id: "trunkline",
    password: "secret",
    throughput: "1000",
    ...more,
  };
}

function textTo(line: LineRef, to: string, value: string): Outbound {
  const part = { type: "text" as const, value, decorations: [], mentions: [], stickers: [] };
  return {
    id: newId(Date.now()),
    line,
    service: "SMS",
    to: [to],
    group: null,
    parts: [part],
    effect: null,
    replyTo: null,
  };
}

describe("conformance", () => {
  const line = newLine();
  let smsc: Awaited<ReturnType<typeof startSmsc>>;
  let session: Running;
  let sink: Sink | null = null;
  let isUp = false;
  let handles = 0;

  beforeAll(async () => {
    smsc = await startSmsc();
    session = openSession(line, connectionTo(smsc.port), {
      async receive(to, events) {
        const [state] = events.filter((event) => event.type === "line");
        if (state !== undefined) {
          isUp = state.up;
          return;
        }
        if (sink === null) throw new Error("there is no listener");
        await sink.receive(to, events);
      },
    });
  });
  afterAll(async () => {
    await session.stop();
    await smsc.close();
  });

  describeTransport(() => ({
    transport: {
      ...smppTransport,
      // Phones show texts, not IDs.
      send: (message, signal) =>
        smppTransport.send(
          { ...textTo(message.line, message.to[0] ?? "", message.id), id: message.id },
          signal,
        ),
    },
    line,
    service: "SMS",
    reportsReads: false,
    async recipient(behavior) {
      const handle = `+1555011${1000 + ++handles}`;
      smsc.behave(handle, behavior);
      await until(() => isUp && smsc.bound === 1);
      return handle;
    },
    arrived: async (handle) => smsc.messages().flatMap(({ to, text }) => (to === handle ? text : [])),
    read: async () => undefined,
    reportAgain: async (handle) => smsc.reportAgain(handle),
    newMessageId: () => newId(Date.now()),
    listen(listener) {
      sink = listener;
      return {
        async stop() {
          sink = null;
        },
      };
    },
  }));
});

describe("a session", () => {
  let smsc: Awaited<ReturnType<typeof startSmsc>>;
  let line: LineRef;
  let events: InEvent[];
  const sessions: Running[] = [];

  beforeEach(() => {
    line = newLine();
    events = [];
  });
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.stop()));
    await smsc.close();
  });

  async function start(options: SmscOptions = {}, more: Connection = {}): Promise<void> {
    smsc = await startSmsc(options);
    open(line, connectionTo(smsc.port, more));
    await until(async () => ups().at(-1) === true);
  }

  function open(of: LineRef, connection: Connection, receive: Sink["receive"] = store): void {
    sessions.push(openSession(of, connection, { receive }));
  }

  async function store(_: LineRef, reported: readonly InEvent[]): Promise<void> {
    events.push(...reported);
  }

  const ups = () => events.flatMap((event) => (event.type === "line" ? event.up : []));
  const texts = () =>
    events.flatMap((event) =>
      event.type === "message" ? event.parts.map((part) => (part.type === "text" ? part.value : "")) : [],
    );
  const send = (message: Outbound, timeoutMs = 5000) =>
    smppTransport.send(message, AbortSignal.timeout(timeoutMs));
  const write = (text: string | Buffer, more: Record<string, unknown> = {}) =>
    smsc.write({
      source_addr: PERSON.slice(1),
      destination_addr: line.phoneNumber.slice(1),
      short_message: text,
      ...more,
    });

  test("a long text with emoji arrives whole, and its only delivery receipt is that of the last part", async () => {
    await start();
    const text = `${"Привет ".repeat(12)}👨‍👩‍👧‍👦${"😀".repeat(40)}`;
    const { refs } = await send(textTo(line, PERSON, text));
    expect(refs.length).toBeGreaterThan(2);
    expect(smsc.messages()).toEqual([{ from: line.phoneNumber.slice(1), to: PERSON, text }]);
    await until(async () => events.some(({ type }) => type === "delivered"));
    expect(events.filter(({ type }) => type === "delivered")).toMatchObject([{ ref: refs.at(-1) }]);
  });

  test("with message_payload, a long text is one submit", async () => {
    await start({}, { long_messages: "payload" });
    const text = "long ".repeat(200);
    expect((await send(textTo(line, PERSON, text))).refs).toHaveLength(1);
    expect(smsc.messages()).toMatchObject([{ text }]);
  });

  test.each([
    ["decimal", "auto"],
    ["hex", "auto"],
    ["same", "auto"],
    ["decimal", "hex_then_decimal"],
    ["hex", "decimal_then_hex"],
  ] as const)("receipts in %s find their messages with message_ids %s", async (receiptIds, message_ids) => {
    await start({ receiptIds }, { message_ids });
    const refs = [];
    for (let count = 0; count < 3; count++) {
      refs.push(...(await send(textTo(line, PERSON, `message ${count}`))).refs);
    }
    await until(async () => events.filter(({ type }) => type === "delivered").length === 3);
    // A receipt that comes before the response to its message waits for it.
    expect(events.flatMap((event) => (event.type === "delivered" ? event.ref : [])).sort()).toEqual(
      refs.sort(),
    );
  });

  test("receipts in optional parameters are read, in any order", async () => {
    await start({ receiptParameters: true, reversedReceipts: 3 });
    const refs = [];
    for (let count = 0; count < 3; count++) {
      refs.push(...(await send(textTo(line, PERSON, `message ${count}`))).refs);
    }
    await until(async () => events.filter(({ type }) => type === "delivered").length === 3);
    const reported = events.flatMap((event) => (event.type === "delivered" ? event.ref : []));
    expect([...reported].sort()).toEqual([...refs].sort());
  });

  test("an undeliverable message fails with the carrier's reason", async () => {
    await start();
    smsc.behave(PERSON, "undeliverable");
    const { refs } = await send(textTo(line, PERSON, "hello"));
    await until(async () => events.some(({ type }) => type === "failed"));
    const [failed] = events.filter((event) => event.type === "failed");
    expect(failed).toMatchObject({ ref: refs[0], error: { kind: "undeliverable" } });
    expect(failed?.error.message).toContain("UNDELIV, error 011");
  });

  test("a throttled message is sent again, and the window is never exceeded", async () => {
    await start({ throttles: [11, 12, 20, 31], answerMs: 5 }, { window: "4" });
    const messages = Array.from({ length: 30 }, (_, index) => textTo(line, PERSON, `message ${index}`));
    await Promise.all(messages.map((message) => send(message, 20_000)));
    expect(smsc.throttled).toBe(4);
    expect(smsc.peak).toBeLessThanOrEqual(4);
    expect(new Set(smsc.messages().map(({ text }) => text)).size).toBe(30);
  });

  test("a peer that is down at the start holds the line, and the line is up once the peer is there", async () => {
    smsc = await startSmsc();
    const { port } = smsc;
    await smsc.close();
    open(line, connectionTo(port));
    await until(async () => ups().at(-1) === false);
    await expect(send(textTo(line, PERSON, "early"), 10_000)).rejects.toMatchObject({ kind: "line_down" });
    smsc = await startSmsc({ port });
    await until(async () => ups().at(-1) === true);
    await send(textTo(line, PERSON, "late"));
    expect(smsc.messages().map(({ text }) => text)).toEqual(["late"]);
  });

  const reasons = () => events.flatMap((event) => (event.type === "line" ? (event.reason ?? null) : []));

  test("a wrong password keeps the line down, with the reason", async () => {
    smsc = await startSmsc({ password: "another" });
    open(line, connectionTo(smsc.port));
    await until(async () => smsc.binds > 1);
    expect(ups()).toEqual([false]);
    expect(reasons()).toEqual(["The SMS center refused the system ID or the password."]);
  });

  test("a refused connection and a lost one have their reasons", async () => {
    await start();
    const { port } = smsc;
    await smsc.close();
    const refused = "Nothing listens there. Check the host and the port.";
    await until(async () => reasons().at(-1) === refused);
    expect(reasons()).toEqual([null, "The SMS center ended the connection.", refused]);
    smsc = await startSmsc({ port });
    await until(async () => ups().at(-1) === true);
    expect(reasons().at(-1)).toBeNull();
  });

  test("a type of bind that the SMS center does not allow is explained", async () => {
    smsc = await startSmsc({ refusedBind: "bind_transceiver" });
    open(line, connectionTo(smsc.port));
    await until(async () => ups().at(-1) === false);
    expect(reasons()).toEqual([
      "The SMS center does not allow this type of bind. Choose another one under Bind.",
    ]);
  });

  test("a transmitter and a receiver send and receive, and end together", async () => {
    await start({ refusedBind: "bind_transceiver" }, { bind: "transmitter_receiver" });
    expect(smsc.bound).toBe(2);
    await send(textTo(line, PERSON, "hello"));
    await until(async () => events.some(({ type }) => type === "delivered"));
    write("hello");
    await until(async () => texts().length === 1);
    smsc.cut("receivers");
    await until(async () => smsc.bound === 2 && smsc.binds === 4);
    await until(async () => ups().at(-1) === true);
    expect(ups()).toEqual([true, false, true]);
  });

  test("the service type and the type of the destination are those of the settings", async () => {
    await start({}, { service_type: "CMT", dest_ton: "0", dest_npi: "0", source_ton: "5", source_npi: "0" });
    await send(textTo(line, PERSON, "hello"));
    expect(smsc.submits()).toMatchObject([
      { service_type: "CMT", dest_addr_ton: 0, dest_addr_npi: 0, source_addr_ton: 5, source_addr_npi: 0 },
    ]);
  });

  test("a cut connection and bytes that are no PDU lead to a new bind", async () => {
    await start();
    smsc.cut();
    await until(async () => smsc.binds === 2 && smsc.bound === 1);
    smsc.garble();
    await until(async () => smsc.binds === 3 && smsc.bound === 1);
    await until(async () => ups().at(-1) === true);
    await send(textTo(line, PERSON, "hello"));
    expect(smsc.messages()).toHaveLength(1);
  });

  test("a silent peer is given up by the enquiry of the connection", async () => {
    smsc = await startSmsc();
    const proxy = await startTcpProxy(`tcp://127.0.0.1:${smsc.port}`);
    const proxied = Number(new URL(proxy.url).port);
    open(line, connectionTo(proxied, { enquire_seconds: "5" }));
    await until(async () => smsc.bound === 1);
    await proxy.close();
    await until(async () => ups().at(-1) === false);
  });

  test("over TLS with the certificate of the SMS center", async () => {
    const { key, cert } = TEST_CERTIFICATE;
    smsc = await startSmsc({ key, cert });
    open(line, connectionTo(smsc.port, { tls: "on", ca: cert, host: "localhost" }));
    await until(async () => ups().at(-1) === true);
    await send(textTo(line, PERSON, "hello"));
    expect(smsc.messages()).toHaveLength(1);
  });

  test("an unknown certificate is refused", async () => {
    const { key, cert } = TEST_CERTIFICATE;
    smsc = await startSmsc({ key, cert });
    open(line, connectionTo(smsc.port, { tls: "on", host: "localhost" }));
    await until(async () => ups().at(-1) === false);
    expect(smsc.binds).toBe(0);
  });

  test.each([
    ["GSM 7-bit", 0, "00411b65", "@A€"],
    ["IA5", 1, Buffer.from("a@b [x] $5_").toString("hex"), "a@b [x] $5_"],
    ["Latin-1", 3, "636166e9", "café"],
    ["Cyrillic", 6, "bfe0d8d2d5e2", "Привет"],
    ["Hebrew", 7, "f9ece5ed", "שלום"],
    ["UCS-2", 8, "041fd83dde00", "П😀"],
    ["GSM 7-bit with a class", 0x12, "00411b65", "@A€"],
    ["a waiting message", 0xc8, "0041", "@A"],
    ["GSM 7-bit with class 2", 0xf2, "0041", "@A"],
    ["8-bit text", 4, Buffer.from("hello").toString("hex"), "hello"],
    ["8-bit data", 4, "0605040b8423f0", "[Message that can't be shown: 7 bytes]"],
    ["JIS", 5, "1b2442467c4b5c1b2842", "日本"],
  ])("a text in %s (data_coding %i) arrives and is acknowledged", async (_, data_coding, hex, text) => {
    await start();
    write(Buffer.from(hex, "hex"), { data_coding });
    await until(async () => smsc.statuses.length === 1);
    expect(smsc.statuses).toEqual([0]);
    expect(texts()).toEqual([text]);
    expect(events.filter(({ type }) => type === "message")).toMatchObject([
      { from: PERSON, service: "SMS", groupRef: null },
    ]);
  });

  test("with a default alphabet of Latin-1, texts are read in it, and sent with data_coding 0", async () => {
    await start({}, { default_alphabet: "latin1" });
    write(Buffer.from("a@b_$ \u00e9", "latin1"), { data_coding: 0 });
    await until(async () => texts().length === 1);
    expect(texts()).toEqual(["a@b_$ \u00e9"]);
    await send(textTo(line, PERSON, "a@b_$ \u00e9"));
    expect(smsc.submits()).toMatchObject([{ data_coding: 0 }]);
  });

  test.each([
    [1, "4915112345678", {}, "+4915112345678"],
    [1, "68849", {}, "68849"],
    [2, "2025561212", {}, "+12025561212"],
    [2, "015112345678", { country: "DE" }, "+4915112345678"],
    [3, "68849", {}, "68849"],
    [5, "MyBank", {}, "MyBank"],
  ])(
    "a sender of type %i, %s, with the settings %j is %s",
    async (source_addr_ton, source_addr, more, from) => {
      await start({}, more);
      write("hello", { source_addr_ton, source_addr });
      await until(async () => texts().length === 1);
      expect(events.filter(({ type }) => type === "message")).toMatchObject([{ from }]);
    },
  );

  test("data_sm and optional parameters carry texts too, and a command that is not known is refused", async () => {
    await start();
    smsc.write({
      command: "data_sm",
      source_addr: PERSON.slice(1),
      destination_addr: line.phoneNumber.slice(1),
      message_payload: Buffer.from("hello"),
    });
    await until(async () => texts().length === 1);
    expect(texts()).toEqual(["hello"]);
    // A command of a vendor (ID 0x00010200), and then a message whose text is cut.
    smsc.writeRaw(Buffer.from("00000010000102000000000000000009", "hex"));
    smsc.writeRaw(Buffer.from("00000012000000050000000000000009" + "4141", "hex"));
    write("still there");
    await until(async () => texts().length === 2);
    expect(smsc.binds).toBe(1);
  });

  test("a message that could not be stored is requested again and stored once", async () => {
    let refusals = 0;
    smsc = await startSmsc();
    open(line, connectionTo(smsc.port), async (to, reported) => {
      if (reported.some(({ type }) => type === "message") && ++refusals <= 2) throw new Error("not stored");
      await store(to, reported);
    });
    await until(async () => smsc.bound === 1);
    write("hello");
    await until(async () => texts().length === 1);
    expect(smsc.statuses).toContain(0x64);
    await until(async () => smsc.undelivered === 0);
    expect(texts()).toEqual(["hello"]);
  });

  test("a message that comes again after a lost response has the same ref; equal messages have different refs", async () => {
    await start();
    write("ok");
    write("ok");
    await until(async () => texts().length === 2 && smsc.undelivered === 0);
    smsc.cut();
    await until(async () => smsc.bound === 1 && smsc.binds === 2);
    write("ok");
    await until(async () => texts().length === 3);
    const refs = events.flatMap((event) => (event.type === "message" ? event.ref : []));
    expect(new Set(refs).size).toBe(2);
    expect(refs[0]).not.toBe(refs[1]);
  });

  test("lines with the same settings share a bind, and each gets the messages of its number", async () => {
    await start();
    const other = newLine();
    const received: string[] = [];
    // Lines share binds within an account.
    const sibling = { ...other, accountId: line.accountId };
    open(sibling, connectionTo(smsc.port), async (to, reported) => {
      if (reported.some(({ type }) => type === "message")) received.push(to.phoneNumber);
    });
    await send(textTo(sibling, PERSON, "hello"));
    expect(smsc.bound).toBe(1);
    expect(smsc.messages()).toMatchObject([{ from: sibling.phoneNumber.slice(1) }]);
    write("hello", { destination_addr: sibling.phoneNumber.slice(1) });
    await until(async () => received.length === 1);
    expect(received).toEqual([sibling.phoneNumber]);
    expect(texts()).toEqual([]);
    write("hello", { destination_addr: sibling.phoneNumber.slice(2), dest_addr_ton: 2 });
    await until(async () => received.length === 2);
    write("hello", { destination_addr: "4711", dest_addr_ton: 3 });
    await until(async () => events.some(({ type }) => type === "refused"));
    expect(texts()).toEqual([]);
    await until(async () => smsc.statuses.includes(0x0b));
  });

  test("receipts go to the line that sent, although both lines have the same sender", async () => {
    await start({}, { source_address: "Harbor" });
    const sibling = { ...newLine(), accountId: line.accountId };
    const ofSibling: InEvent[] = [];
    open(sibling, connectionTo(smsc.port, { source_address: "Harbor" }), async (_, reported) => {
      ofSibling.push(...reported);
    });
    const message = textTo(sibling, PERSON, "hello");
    const { refs } = await send(message);
    await until(async () => ofSibling.some(({ type }) => type === "delivered"));
    expect(ofSibling.filter(({ type }) => type === "delivered")).toMatchObject([
      { ref: refs[0], messageId: message.id },
    ]);
    expect(events.some(({ type }) => type === "delivered")).toBe(false);
  });

  test("a receipt names the newest message of an ID that the SMS center uses again", async () => {
    await start();
    const messages = [textTo(line, PERSON, "first"), textTo(line, PERSON, "second")];
    for (const [index, message] of messages.entries()) {
      await send(message);
      await until(async () => events.filter(({ type }) => type === "delivered").length === index + 1);
      for (const id of smsc.idsOf(PERSON)) smsc.repeatId(id);
    }
    const reported = events.flatMap((event) => (event.type === "delivered" ? event : []));
    expect(reported.map(({ messageId }) => messageId)).toEqual(messages.map(({ id }) => id));
    expect(new Set(reported.map(({ ref }) => ref)).size).toBe(1);
  });

  test("a receipt without its type is a receipt if its ID is known, and a message otherwise", async () => {
    await start();
    smsc.behave(PERSON, "silent");
    const { refs } = await send(textTo(line, PERSON, "hello"));
    const receipt = (id: string) => `id:${id} sub:001 dlvrd:001 stat:DELIVRD err:000 text:`;
    write(receipt(refs[0] ?? ""));
    write(receipt("4711"));
    await until(async () => texts().length === 1 && events.some(({ type }) => type === "delivered"));
    expect(texts()).toEqual([receipt("4711")]);
    expect(events.filter(({ type }) => type === "delivered")).toMatchObject([{ ref: refs[0] }]);
  });

  test("acknowledgements of phones are no messages", async () => {
    await start();
    write("", { esm_class: 0x08 });
    write("thanks", { esm_class: 0x08 });
    write("id:1 stat:DELIVRD", { esm_class: 0x10 });
    await until(async () => smsc.statuses.length === 3);
    expect(smsc.statuses).toEqual([0, 0, 0]);
    expect(texts()).toEqual([]);
  });

  test("a message from before the session has an unknown outcome", async () => {
    await start();
    expect(await smppTransport.outcome(line, firstIdAt(Date.now() - 60_000))).toEqual({ state: "unknown" });
  });

  test("a private SMS center is refused unless the operator allows it", async () => {
    process.env.TRANSPORT_ALLOW_PRIVATE = "10.1.1.1";
    smsc = await startSmsc();
    open(line, connectionTo(smsc.port));
    await until(async () => ups().at(-1) === false);
    const ALLOWED = "127.0.0.1,localhost";
    process.env.TRANSPORT_ALLOW_PRIVATE = ALLOWED;
    expect(smsc.binds).toBe(0);
  });
});
