import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import { createHmac } from "node:crypto";
import { globSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { androidTransport } from "@/lib/adapters/transports/android/android-transport";
import type { VendorRequest } from "@/lib/adapters/transports/callback";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { encodePdu, type Fields } from "@/lib/adapters/transports/smpp/pdu";
import { smppTransport } from "@/lib/adapters/transports/smpp/smpp-transport";
import type { Running } from "@/lib/adapters/transports/transport";
import { upstreamTransport } from "@/lib/adapters/transports/upstream/upstream-transport";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { receiveCallback, requireCallbackLine } from "@/lib/runtime/wiring/receive-callback";
import { retrySetAside } from "@/lib/runtime/wiring/retry-set-aside";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { until } from "@/lib/testing/until";
import { startFakeAndroid } from "@/lib/testing/vendors/fake-android";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";
import type { RowFields } from "@/lib/testing/vendors/fake-mac-payloads";
import { signedForm } from "@/lib/testing/vendors/fake-twilio";
import { startSmsc } from "@/lib/testing/vendors/smsc";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

captureLog();

const TOKEN = "twilio-token";
const SECRET = `whsec_${Buffer.from("upstream-secret").toString("base64")}`;
const OVERLAP_MS = 10 * 60_000;

/** A message that a person of a transport writes. `from` = an E.164 number unless the case says otherwise. */
interface Written {
  from: string;
  text: string;
  /** The vendor's id of the message: the same id twice is the same message. */
  id?: string;
  isMissingFile?: boolean;
}

/** A transport with what it needs to receive up to the stored row. */
interface Intake {
  account: TestAccount;
  /** Resolves once the vendor has its answer. */
  deliver(written: Written): Promise<void>;
  /** Something of a kind that the transport does not know, or that it can't read. */
  deliverUnknown(from: string): Promise<void>;
  /** Delivers bytes that may mean anything. */
  deliverAny(value: unknown): Promise<void>;
}

const intakes: Record<string, Intake> = {};
const running: Running[] = [];
const closing: (() => Promise<unknown>)[] = [];
let ids = 0;
let people = 0;

const newPerson = () => `+1202557${1000 + ++people}`;
const newRef = () => newId(Date.now() + ++ids);

beforeAll(async () => {
  const imsg = await openImsg();
  const smpp = await openSmpp();
  const twilio = await openTwilio();
  const upstream = await openUpstream();
  const simulator = await openSimulator();
  const android = await openAndroid();
  const { webhook, pages } = upstream;
  Object.assign(intakes, { imsg, smpp, twilio, webhook, pages, simulator, android });
});
afterAll(async () => {
  for (const each of running) await each.stop();
  for (const close of closing) await close();
});

async function newLine(
  transport: string,
  connection: Record<string, string>,
): Promise<{ account: TestAccount; line: LineRef }> {
  const account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: "update lines set transport = $2 where account_id = $1",
    values: [account.ref.id, transport],
  });
  const line = await lineOf(account);
  await setLineConnection({ accountId: line.accountId, id: line.id }, connection);
  return { account, line };
}

async function openImsg(): Promise<Intake> {
  const mac = await startFakeMac();
  closing.push(() => mac.close());
  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  const { account, line } = await newLine("imsg", {});
  let isUp = false;
  const sink: Sink = {
    ...inboundSink,
    async receive(of, events) {
      await inboundSink.receive(of, events);
      if (events.some((event) => event.type === "line" && event.up)) isUp = true;
    },
  };
  running.push(imsgTransport.sessions?.open(line, {}, sink) ?? expect.fail());
  await until(() => isUp);
  let cursor: string | null = null;
  const read = async () => {
    for (let more = true; more; ) {
      const page = await imsgTransport.poll?.read(line, {}, cursor, AbortSignal.timeout(20_000));
      await inboundSink.receive(line, page?.events ?? []);
      cursor = page?.cursor ?? null;
      more = page?.more === true;
    }
  };
  return {
    account,
    async deliver({ from, text, id, isMissingFile = false }) {
      const attachments = [{ transfer_name: "gone.png", original_path: "/nowhere/gone.png", missing: true }];
      mac.write(from, text, { ...(id !== undefined && { guid: id }), ...(isMissingFile && { attachments }) });
      await read();
    },
    async deliverUnknown(from) {
      mac.write(from, `of an unknown kind from ${from}`, { is_from_me: "no" } as unknown as RowFields);
      await read();
    },
    async deliverAny(value) {
      mac.write(newPerson(), "any", value as RowFields);
      await read();
    },
  };
}

async function openAndroid(): Promise<Intake> {
  const phone = await startFakeAndroid();
  closing.push(() => phone.close());
  const connection = { ...phone.connection, device_id: phone.knobs.deviceId };
  const { account, line } = await newLine("android", connection);
  let cursor: string | null = null;
  const read = async () => {
    const page = await androidTransport.poll?.read(line, connection, cursor, AbortSignal.timeout(20_000));
    await inboundSink.receive(line, page?.events ?? []);
    cursor = page?.cursor ?? null;
  };
  await read();
  const files = [{ name: "gone.jpg", contentType: "image/jpeg", bytes: null }];
  // A repeat has the time of the first.
  const times = new Map<string, Date>();
  return {
    account,
    async deliver({ from, text, id, isMissingFile = false }) {
      const at = times.get(id ?? "") ?? new Date();
      if (id !== undefined) times.set(id, at);
      phone.write(from, text, { at, ...(isMissingFile && { type: "MMS_DOWNLOADED", files }) });
      await read();
      // An MMS is complete when two polls show the same files.
      if (isMissingFile) await read();
    },
    async deliverUnknown(from) {
      phone.inbox.insertRaw({ id: 7, type: "SMS", sender: from, note: newRef() });
      await read();
    },
    async deliverAny(value) {
      phone.inbox.insertRaw(value);
      await read();
    },
  };
}

async function openSmpp(): Promise<Intake> {
  const smsc = await startSmsc();
  closing.push(() => smsc.close());
  const { account, line } = await newLine("smpp", {});
  const connection = { host: "127.0.0.1", port: String(smsc.port), tls: "off", system_id: "trunkline" };
  running.push(
    smppTransport.sessions?.open(line, { ...connection, password: "secret" }, inboundSink) ?? expect.fail(),
  );
  await until(() => smsc.bound > 0);
  const address = (from: string) =>
    from.startsWith("+")
      ? { source_addr: from.slice(1), source_addr_ton: 1 }
      : { source_addr: from, source_addr_ton: /^\d*$/.test(from) ? 3 : 5 };
  const deliver = async (fields: Fields, cut = 0) => {
    const frame = encodePdu(
      "deliver_sm",
      { destination_addr: line.phoneNumber.slice(1), ...fields },
      { sequence: 7 },
    );
    const bytes = frame.subarray(0, frame.length - cut);
    bytes.writeUInt32BE(bytes.length, 0);
    const before = smsc.answers;
    smsc.writeRaw(bytes);
    await until(() => smsc.answers > before);
  };
  const inUcs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
  return {
    account,
    deliver: ({ from, text }) =>
      deliver(
        text.length > 60_000
          ? {
              ...address(from),
              data_coding: 3,
              message_payload: Buffer.from(text.slice(0, 65_000), "latin1"),
            }
          : { ...address(from), data_coding: 8, short_message: inUcs2(text) },
      ),
    deliverUnknown: (from) => deliver({ ...address(from), short_message: Buffer.from("cut off") }, 3),
    deliverAny: async (value) => {
      const { source, ton, esm, coding, short, payload, cut } = value as AnySms;
      const content =
        short.length > 0 ? { short_message: Buffer.from(short) } : { message_payload: Buffer.from(payload) };
      const source_addr = source.replaceAll("\0", "");
      await deliver(
        { source_addr, source_addr_ton: ton, esm_class: esm, data_coding: coding, ...content },
        cut,
      );
    },
  };
}

interface AnySms {
  source: string;
  ton: number;
  esm: number;
  coding: number;
  short: Uint8Array;
  payload: Uint8Array;
  cut: number;
}

async function openTwilio(): Promise<Intake> {
  const account_sid = `AC${"0".repeat(32)}`;
  const { account, line } = await newLine("twilio", {
    account_sid,
    auth_token: TOKEN,
    base_url: "http://127.0.0.1:9",
  });
  const url = `https://trunkline.test/inbound/lines/${line.id}`;
  const post = async (fields: Record<string, string>) => {
    const reply = await receiveCallback(await requireCallbackLine(line.id), signedForm(TOKEN, url, fields));
    expect(reply?.status ?? 200).toBe(200);
  };
  const form = (from: string) => ({
    MessageSid: `SM${newRef()}`,
    From: from,
    To: line.phoneNumber,
    NumMedia: "0",
  });
  return {
    account,
    deliver: ({ from, text, id, isMissingFile = false }) =>
      post({
        ...form(from),
        ...(id !== undefined && { MessageSid: id }),
        Body: text,
        ...(isMissingFile && { NumMedia: "2", MediaUrl0: "http://127.0.0.1:9/gone.png" }),
      }),
    deliverUnknown: (from) => post({ ...form(from), MessageSid: "", Body: "without an ID" }),
    deliverAny: (value) => post(value as Record<string, string>),
  };
}

/** An upstream that is no Trunkline, with the lists that a test wrote. */
async function startUpstream() {
  /** The messages of a chat without any are refused. */
  const chats: { id: string; updated_at: string; messages?: unknown[] }[] = [];
  const asked: string[] = [];
  /** A list without an end: each page is the first one, with another cursor. */
  const endless = { is: false };
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://upstream.test");
    asked.push(`${pathname} ${searchParams.get("cursor") ?? ""}`.trim());
    const limit = Number(searchParams.get("limit") ?? 100);
    const chat = chats.find(({ id }) => pathname === `/v3/chats/${id}/messages`);
    const at = endless.is ? 0 : Number(searchParams.get("cursor") ?? 0);
    const newest = chats.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at));
    const listed = newest
      .slice(at, at + limit)
      .map(({ id, updated_at }) => ({ id, updated_at, is_group: false, handles: [] }));
    const end = at + limit < chats.length ? String(at + limit) : null;
    const next_cursor = endless.is ? newRef() : end;
    const bodies: Record<string, unknown> = {
      "/v3/chats": { chats: listed, next_cursor },
      "/v3/phone_numbers": { phone_numbers: [] },
    };
    const body =
      chat?.messages === undefined
        ? bodies[pathname]
        : { messages: chat.messages.toReversed(), next_cursor: null };
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: { code: 2001, message: "not found" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { chats, asked, endless, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let vendor: Awaited<ReturnType<typeof startUpstream>>;
let pagesLine: LineRef;
let pagesConnection: Record<string, string>;

/** The cursor of a line whose upstream was checked just now. */
const cursorSince = (since: number) =>
  JSON.stringify({ since, checkedAt: Date.now() + 3_600_000, refusedAt: Date.now() });

async function readPages(from: string): Promise<string> {
  let cursor = from;
  for (let more = true; more; ) {
    const page = await upstreamTransport.poll?.read(
      { ...pagesLine, isUp: true },
      pagesConnection,
      cursor,
      AbortSignal.timeout(20_000),
    );
    await inboundSink.receive(pagesLine, page?.events ?? []);
    cursor = page?.cursor ?? "";
    more = page?.more === true || JSON.parse(cursor).look != null;
  }
  return cursor;
}

async function openUpstream(): Promise<{ webhook: Intake; pages: Intake }> {
  vendor = await startUpstream();
  const connection = { base_url: vendor.url, api_token: "token", kind: "other", signing_secret: SECRET };
  const webhook = await newLine("upstream", connection);
  const pages = await newLine("upstream", connection);
  pagesLine = pages.line;
  pagesConnection = connection;
  const post = async (body: string) => {
    const id = newRef();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    };
    const request: VendorRequest = {
      method: "POST",
      url: "https://trunkline.test",
      headers,
      body: Buffer.from(body),
    };
    const reply = await receiveCallback(await requireCallbackLine(webhook.line.id), request);
    expect(reply?.status ?? 200).toBe(200);
  };
  const envelope = (event_type: string, data: unknown) =>
    JSON.stringify({ event_type, event_id: newRef(), created_at: new Date().toISOString(), data });
  const partsOf = ({ text, isMissingFile = false }: Written) => [
    { type: "text", value: text },
    ...(isMissingFile ? [{ type: "media", filename: "gone.png", url: "http://127.0.0.1:9/gone.png" }] : []),
  ];
  const list = async (message: object) => {
    const at = new Date().toISOString();
    const listed = {
      is_from_me: false,
      service: "SMS",
      delivery_status: "received",
      created_at: at,
      ...message,
    };
    vendor.chats.push({ id: newRef(), updated_at: at, messages: [listed] });
    await readPages(cursorSince(Date.now()));
    vendor.chats.length = 0;
  };
  return {
    webhook: {
      account: webhook.account,
      deliver: (written) =>
        post(
          envelope("message.received", {
            id: written.id ?? newRef(),
            direction: "inbound",
            chat: { id: newRef(), is_group: false },
            sender_handle: { handle: written.from },
            service: "SMS",
            parts: partsOf(written),
          }),
        ),
      deliverUnknown: (from) => post(envelope("message.received", { sender: from, hologram: true })),
      deliverAny: (value) => post(typeof value === "string" ? value : JSON.stringify(value)),
    },
    pages: {
      account: pages.account,
      deliver: (written) =>
        list({ id: written.id ?? newRef(), from_handle: { handle: written.from }, parts: partsOf(written) }),
      deliverUnknown: (from) => list({ id: 7, from_handle: { handle: from } }),
      deliverAny: (value) => list(value as object),
    },
  };
}

async function openSimulator(): Promise<Intake> {
  const account = await createTestAccount({ type: "sandbox" });
  const post = async (from: string, body: object) => {
    await callApi("POST /simulator/phones", { token: account.token, body: { handle: from, delay_ms: 0 } });
    return callApi(`POST /simulator/phones/${encodeURIComponent(from)}/messages`, {
      token: account.token,
      body,
    });
  };
  return {
    account,
    async deliver({ from, text }) {
      const isStorable = text.isWellFormed() && !text.includes("\0") && text.length < LONG.length;
      expect((await post(from, { to: account.line, text })).status).toBe(isStorable ? 201 : 400);
    },
    async deliverUnknown(from) {
      expect((await post(from, { to: account.line, parts: [{ type: "hologram" }] })).status).toBe(400);
    },
    async deliverAny(value) {
      expect((await post(newPerson(), value as object)).status).toBeLessThan(500);
    },
  };
}

interface StoredMessage {
  handle: string;
  text: string | null;
  parts: number;
}

function storedFrom(account: TestAccount, handle: string): Promise<StoredMessage[]> {
  return sql.runText<StoredMessage>({
    text: `select p.handle, m.parts->0->>'value' as text, jsonb_array_length(m.parts::jsonb) as parts from messages m
           join participants p on p.account_id = m.account_id and p.id = m.sender_id and p.chat_id = m.chat_id
           where m.account_id = $1 and p.handle = $2 and not m.is_from_me order by m.position`,
    values: [account.ref.id, handle],
  });
}

/** How much arrived at an account, stored or set aside. */
async function countOf({ ref }: TestAccount): Promise<{ stored: number; setAside: number }> {
  const [row] = await sql.runText<{ stored: number; set_aside: number }>({
    text: `select (select count(*)::int from messages where account_id = $1 and not is_from_me) as stored,
             (select coalesce(sum(times), 0)::int from set_aside_events where account_id = $1) as set_aside`,
    values: [ref.id],
  });
  return { stored: row?.stored ?? 0, setAside: row?.set_aside ?? 0 };
}

const TRANSPORTS = ["imsg", "smpp", "twilio", "webhook", "pages", "simulator", "android"] as const;
type Name = (typeof TRANSPORTS)[number];
const intakeOf = (name: Name): Intake => intakes[name] ?? expect.fail();

/** Delivers a message behind another event and waits for its row. */
async function expectBehind(name: Name): Promise<void> {
  const from = newPerson();
  // Two messages with the same text can share SMSGate's 32-bit ID.
  const text = `behind it, of ${from}`;
  await intakeOf(name).deliver({ from, text });
  expect(await storedFrom(intakeOf(name).account, from)).toMatchObject([{ text }]);
}

test("every transport delivers to one of the accounts here", async () => {
  const lines = await sql.runText<{ transport: string }>({
    text: "select distinct transport from lines where account_id = any($1::uuid[])",
    values: [Object.values(intakes).map(({ account }) => account.ref.id)],
  });
  const tried = new Set(lines.map(({ transport }) => transport));
  const folders = globSync("lib/adapters/transports/*/").map((folder) => path.basename(folder));
  const toDo = "write how a new transport delivers, as an `open…` function of this file in `intakes`";
  expect(folders.sort(), toDo).toEqual([...tried].sort());
});

const LONG = "x".repeat(100_000);
const TEXTS: [what: string, text: string, stored: Partial<Record<Name, string>> & { all: string }][] = [
  ["U+0000", "a\0b", { all: "ab" }],
  // URLSearchParams, which makes the form of the test, replaces it already.
  ["a lone surrogate", "a\ud83d!", { all: "a\ufffd!" }],
  // SMPP carries at most 64 KiB.
  ["100 kB", LONG, { all: LONG, smpp: LONG.slice(0, 65_000) }],
];

describe.each(TRANSPORTS)("over %s", (name) => {
  test.each(TEXTS)(
    "a text with %s is stored, or refused to who can correct it, and stops nothing",
    async (_, text, stored) => {
      const from = newPerson();
      await intakeOf(name).deliver({ from, text });
      const found = await storedFrom(intakeOf(name).account, from);
      if (name === "simulator") expect(found).toEqual([]);
      else expect(found).toMatchObject([{ text: stored[name] ?? stored.all }]);
      await expectBehind(name);
    },
  );

  test("an unreadable event is set aside, or refused to the person who can correct it, and stops no other event", async () => {
    const { account } = intakeOf(name);
    const before = await countOf(account);
    await intakeOf(name).deliverUnknown(newPerson());
    const after = await countOf(account);
    expect(after.stored).toBe(before.stored);
    expect(after.setAside).toBe(before.setAside + (name === "simulator" ? 0 : 1));
    await expectBehind(name);
  });

  test("a message whose file is missing is stored with its text", async () => {
    // SMS has no files, and simulated phones upload theirs first.
    if (name === "smpp" || name === "simulator") return;
    const from = newPerson();
    await intakeOf(name).deliver({ from, text: "see this", isMissingFile: true });
    const [message] = await storedFrom(intakeOf(name).account, from);
    expect(message).toMatchObject({ text: "see this" });
    expect(message?.parts).toBeGreaterThan(1);
    await expectBehind(name);
  });

  test.each(["68849", "MyBank"])("a message of the sender %s is stored as it came", async (from) => {
    if (name === "simulator") return;
    await intakeOf(name).deliver({ from, text: "Your code is 4711" });
    expect(await storedFrom(intakeOf(name).account, from)).toMatchObject([{ text: "Your code is 4711" }]);
  });

  test("a message that comes twice is stored once", async () => {
    // SMPP has no ids of messages: a repeat is one before its acknowledgement (smpp-transport.test.ts).
    if (name === "smpp" || name === "simulator") return;
    const from = newPerson();
    const id = newRef();
    for (let times = 0; times < 2; times++) await intakeOf(name).deliver({ from, text: "once", id });
    expect(await storedFrom(intakeOf(name).account, from)).toMatchObject([{ text: "once" }]);
  });
});

describe("arbitrary values", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("constructor", "__proto__"),
  );
  const odd = fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(text, value, { maxKeys: 3 }));

  /** Delivers values in turn, each until its vendor has an answer, and then a message behind them. */
  async function deliverAll(name: Name, values: fc.Arbitrary<unknown>, numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(values, (each) => intakeOf(name).deliverAny(each)),
      { numRuns, endOnFailure: true },
    );
    await expectBehind(name);
  }

  test("of a row of Messages are stored or set aside, and stop nothing", async () => {
    const keys = ["sender", "poll", "balloon_bundle_id", "url_preview", "thread_originator_guid"] as const;
    const more = ["reaction_type", "reaction_emoji", "reacted_to_guid", "is_from_me", "is_reaction"] as const;
    const attachment = fc.dictionary(fc.constantFrom("original_path", "transfer_name", "uti"), odd);
    const row = fc.record(
      {
        ...Object.fromEntries([...keys, ...more].map((key) => [key, odd])),
        attachments: fc.array(attachment, { maxLength: 3 }),
        created_at: text,
      },
      { requiredKeys: [] },
    );
    await deliverAll("imsg", row, 60);
  });

  test("of an SMS are stored or set aside, and each is answered", async () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const sms = fc.record({
      source: fc.string({
        unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
        maxLength: 21,
      }),
      ton: octet,
      esm: octet,
      coding: octet,
      short: fc.uint8Array({ maxLength: 255 }),
      payload: fc.uint8Array({ maxLength: 2000 }),
      cut: fc.integer({ min: 0, max: 12 }),
    });
    await deliverAll("smpp", sms, 80);
  });

  test("of a row of a phone's inbox are stored or set aside", async () => {
    const names = [
      "id",
      "type",
      "sender",
      "simNumber",
      "contentPreview",
      "createdAt",
      "attachments",
    ] as const;
    const known = fc.record({
      id: fc.uuid(),
      type: fc.constantFrom("SMS", "MMS_DOWNLOADED"),
      sender: text,
      contentPreview: text,
      createdAt: fc.constantFrom("2026-01-01T00:00:00.000+02:00", "2026-01-01T00:00:00Z"),
    });
    const row = fc.dictionary(fc.constantFrom(...names), odd);
    await deliverAll("android", fc.oneof(known, row, odd), 60);
  });

  test("of a form of Twilio are stored, set aside or a report", async () => {
    const names = [
      "MessageSid",
      "From",
      "To",
      "Body",
      "NumMedia",
      "MediaUrl0",
      "MediaContentType0",
      "OptOutType",
    ] as const;
    const more = ["Latitude", "Longitude", "ButtonText", "SmsStatus", "MessageStatus", "ErrorCode"] as const;
    const known = fc.oneof(
      text,
      fc.constantFrom("constructor", "delivered", "received", "STOP", "-1", "1e9", "\0"),
    );
    const { line } = intakeOf("twilio").account;
    const form = fc
      .record(Object.fromEntries([...names, ...more].map((key) => [key, known])), {
        requiredKeys: ["MessageSid"],
      })
      .map((fields) => ({ ...fields, To: line }));
    await deliverAll("twilio", form, 60);
  });

  test("of an event of the upstream are stored, set aside or nothing that a line needs", async () => {
    const types = [
      "message.received",
      "message.delivered",
      "message.edited",
      "reaction.added",
      "poll.received",
      "constructor",
    ];
    const data = fc.dictionary(
      fc.constantFrom("id", "direction", "chat", "sender_handle", "parts", "service"),
      odd,
    );
    const event = fc.record({
      event_type: fc.constantFrom(...types),
      event_id: fc.uuid(),
      created_at: text,
      data,
    });
    await deliverAll("webhook", fc.oneof(text, event, odd), 60);
  });

  test("of a listed message of the upstream are stored or set aside", async () => {
    const names = ["id", "from_handle", "service", "delivery_status", "parts", "effect", "reply_to"] as const;
    // A message of another year is not new.
    const created_at = odd.filter((at) => typeof at !== "string" || Number.isNaN(Date.parse(at)));
    const values = Object.fromEntries(names.map((key) => [key, odd]));
    const message = fc.record({ ...values, created_at }, { requiredKeys: [] });
    const before = await countOf(intakeOf("pages").account);
    await deliverAll("pages", message, 40);
    const after = await countOf(intakeOf("pages").account);
    expect(after.stored + after.setAside).toBe(before.stored + before.setAside + 41);
  });

  test("of a simulated phone are stored or refused", async () => {
    const body = fc.record(
      { to: fc.constant(intakeOf("simulator").account.line), text: odd, effect: odd, reply_to: odd },
      { requiredKeys: ["to"] },
    );
    await deliverAll("simulator", body, 20);
  });
});

test("an operator can try again what an earlier version could not read", async () => {
  const { account, deliverAny } = intakeOf("webhook");
  const line = await lineOf(account);
  const from = newPerson();
  await deliverAny({
    event_type: "message.received",
    event_id: newRef(),
    created_at: "now",
    data: { sender: from },
  });
  const [kept] = await sql.runText<{ id: string; reason: string }>({
    text: "select id, reason from set_aside_events where account_id = $1 and $2 = any(handles)",
    values: [account.ref.id, from],
  });
  const params = { lineId: line.id, eventId: kept?.id ?? "" };
  const again = await retrySetAside(account.context(), { params });
  expect(again).toEqual({ stored: false, reason: kept?.reason });
});

describe("after an outage", () => {
  test("every chat of an upstream that changed is read, whatever their number, also one that moves meanwhile", async () => {
    const { account } = intakeOf("pages");
    const since = Date.now() - 6 * 3_600_000;
    const at = (minutes: number) => new Date(since + minutes * 60_000).toISOString();
    const senders = Array.from({ length: 250 }, () => newPerson());
    const message = (from: string, created_at: string) => ({
      id: newRef(),
      is_from_me: false,
      from_handle: { handle: from },
      service: "SMS",
      delivery_status: "received",
      created_at,
      parts: [{ type: "text", value: "during the outage" }],
    });
    vendor.chats.push(
      ...senders.map((from, index) => ({
        id: newRef(),
        updated_at: at(index),
        messages: [message(from, at(index))],
      })),
    );
    const before = await countOf(account);
    const first = await upstreamTransport.poll?.read(
      { ...pagesLine, isUp: true },
      pagesConnection,
      cursorSince(since),
      AbortSignal.timeout(20_000),
    );
    await inboundSink.receive(pagesLine, first?.events ?? []);
    // The oldest one, which no page has shown, moves to the top.
    const [moved] = vendor.chats;
    const late = newPerson();
    moved?.messages?.push(message(late, new Date().toISOString()));
    if (moved !== undefined) moved.updated_at = new Date().toISOString();
    const cursor = await readPages(first?.cursor ?? "");
    await readPages(cursor);
    vendor.chats.length = 0;
    expect(await countOf(account)).toEqual({ ...before, stored: before.stored + 251 });
    expect(await storedFrom(account, senders[0] ?? "")).toHaveLength(1);
  });

  test("a list of chats without an end ends, and is not read without a pause for ever", async () => {
    const asked = () => vendor.asked.filter((path) => /^\/v3\/chats( |$)/.test(path)).length;
    vendor.asked.length = 0;
    vendor.chats.push({ id: newRef(), updated_at: new Date().toISOString(), messages: [] });
    vendor.endless.is = true;
    const end = JSON.parse(await readPages(cursorSince(Date.now() - OVERLAP_MS)));
    vendor.endless.is = false;
    vendor.chats.length = 0;
    expect(end.look).toBeNull();
    expect(asked()).toBe(500);
  });

  test("a chat whose messages are refused, and chats and messages that can't be read, are counted once and hold back none", async () => {
    const { account } = intakeOf("pages");
    const since = Date.now() - 3_600_000;
    const at = (minutes: number) => new Date(since + minutes * 60_000).toISOString();
    const sender = newPerson();
    const message = { is_from_me: false, from_handle: { handle: sender }, delivery_status: "received" };
    vendor.chats.push(
      {
        id: newRef(),
        updated_at: at(0),
        messages: [
          { ...message, id: newRef(), created_at: at(0), parts: [{ type: "text", value: "behind" }] },
        ],
      },
      ...Array.from({ length: 25 }, (_, index) => ({
        id: newRef(),
        updated_at: at(1 + index),
        messages: [],
      })),
      { id: newRef(), updated_at: at(30) },
      { id: "no id of a chat", updated_at: at(31), messages: [] },
      { id: newRef(), updated_at: at(32), messages: [{ id: 7, created_at: at(32) }, { hologram: true }] },
    );
    const before = await countOf(account);
    await readPages(cursorSince(since));
    await readPages(cursorSince(since));
    vendor.chats.length = 0;
    const after = { stored: before.stored + 1, setAside: before.setAside + 4 };
    expect(await countOf(account)).toEqual(after);
    expect(await storedFrom(account, sender)).toMatchObject([{ text: "behind" }]);
  });
});
