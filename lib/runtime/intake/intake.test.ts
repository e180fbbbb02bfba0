import { captureLog } from "@/lib/testing/capture-log";

import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { registerTransport } from "@/lib/adapters/transports/registry";
import type { Transport } from "@/lib/adapters/transports/transport";
import { markRead } from "@/lib/messaging/presence/mark-read";
import { seal, unseal } from "@/lib/platform/crypto/crypto";
import { markOutage } from "@/lib/platform/database/database-outage";
import { sql } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { isPassing } from "@/lib/runtime/intake/is-passing";
import { listSetAside } from "@/lib/runtime/intake/list-set-aside";
import { makeStorable } from "@/lib/runtime/intake/make-storable";
import { setAsideContext } from "@/lib/runtime/intake/set-aside";
import { inboundSink } from "@/lib/runtime/wiring/inbound-sink";
import { retrySetAside } from "@/lib/runtime/wiring/retry-set-aside";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { lineOf } from "@/lib/testing/line-of";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

const logged = captureLog();

let account: TestAccount;
let line: LineRef;
let counter = 0;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
});

const newHandle = () => `+1202556${1000 + ++counter}`;

function message(from: string, text: string, more: object = {}): InEvent<"message"> {
  return {
    type: "message",
    ref: `intake-${++counter}`,
    groupRef: null,
    from,
    others: [],
    service: "SMS",
    at: new Date(),
    parts: [{ type: "text", value: text }],
    ...more,
  };
}

const receive = (...events: InEvent[]) => inboundSink.receive(line, events);

async function textsOf(handle: string): Promise<string[]> {
  const rows = await sql.runText<{ text: string }>({
    text: `select m.parts->0->>'value' as text from messages m
           join participants p on p.account_id = m.account_id and p.id = m.sender_id
           where m.account_id = $1 and p.handle = $2 order by m.position`,
    values: [account.ref.id, handle],
  });
  return rows.map(({ text }) => text);
}

async function isOptedOut(handle: string): Promise<boolean> {
  const rows = await sql.runText({
    text: "select 1 from contacts where account_id = $1 and handle = $2 and opted_out_at is not null",
    values: [account.ref.id, handle],
  });
  return rows.length > 0;
}

interface SetAsideRow {
  type: string;
  reason: string;
  times: number;
  is_sealed: boolean;
}

function setAsideFor(handle: string): Promise<SetAsideRow[]> {
  return sql.runText<SetAsideRow>({
    text: `select type, reason, times, payload is not null and position($2::bytea in payload) = 0 as is_sealed
           from set_aside_events where account_id = $1 and $3 = any(handles) order by first_at`,
    values: [account.ref.id, Buffer.from(handle), handle],
  });
}

const NOWHERE = { longitude: 0, latitude: 500, altitude: null, address: null, locality: null };

describe("a text", () => {
  test.each([
    ["Hi\0there", "Hithere"],
    ["\0", ""],
    ["lone \ud83d", "lone \ufffd"],
    ["\udc00 first", "\ufffd first"],
    ["x".repeat(100_000), "x".repeat(100_000)],
  ])("%#: is stored without what PostgreSQL refuses", async (text, stored) => {
    const from = newHandle();
    await receive(message(from, text));
    expect(await textsOf(from)).toEqual([stored]);
  });

  test("that is a keyword once U+0000 is removed opts out, with files that can't be had, and when it can't be stored", async () => {
    const [plain, withFile, unstorable] = [newHandle(), newHandle(), newHandle()];
    const file = {
      type: "media",
      filename: "a.jpg",
      mimeType: "image/jpeg",
      open: () => Promise.reject(new Error("404")),
    };
    await receive(
      message(plain, "STOP\0"),
      message(withFile, "STOP", { parts: [{ type: "text", value: "STOP" }, file] }),
      message(unstorable, "STOP", { service: "Fax" }),
    );
    expect(await Promise.all([plain, withFile, unstorable].map(isOptedOut))).toEqual([true, true, true]);
    expect(await setAsideFor(unstorable)).toMatchObject([{ type: "message" }]);
  });
});

test("an operator sees what was set aside, without its content, and stores it once it can be stored", async () => {
  const from = newHandle();
  const wrong = { type: "location", from, at: new Date(), change: "started", endsAt: null } as const;
  await receive({ ...wrong, position: NOWHERE });
  const ctx = account.context();
  const params = { lineId: line.id };
  const [kept] = (await listSetAside(ctx, { params })).events.filter(({ type }) => type === "location");
  expect(kept).toMatchObject({ times: 1, can_retry: true });
  expect(JSON.stringify(kept)).not.toContain(from);
  const eventId = kept?.id ?? "";

  const again = await retrySetAside(ctx, { params: { ...params, eventId } });
  expect(again).toEqual({ stored: false, reason: kept?.reason });

  await sql.runText({ text: "alter table location_shares drop constraint location_shares_latitude_check" });
  expect(await retrySetAside(ctx, { params: { ...params, eventId } })).toEqual({
    stored: true,
    reason: null,
  });
  expect(await setAsideFor(from)).toEqual([]);
  await expect(retrySetAside(ctx, { params: { ...params, eventId } })).rejects.toMatchObject({
    errorName: "line_not_found",
  });
  const audit = await sql.runText({
    text: "select action from audit_entries where account_id = $1 and object_id = $2",
    values: [account.ref.id, eventId],
  });
  expect(audit).toEqual([{ action: "line.event_stored" }]);
  await sql.runText({
    text: `update location_shares set latitude = 0 where account_id = $1`,
    values: [account.ref.id],
  });
  await sql.runText({
    text: "alter table location_shares add constraint location_shares_latitude_check check (latitude >= -90 and latitude <= 90)",
  });
});

test.each(["68849", "MyBank", "Bücherei am Markt"])(
  "the sender %s can't be answered: every operation on the chat or its message is 400/1002",
  async (from) => {
    await receive(message(from, "Your code is 4711"));
    const [row] = await sql.runText<{ id: string; chat_id: string }>({
      text: `select m.id, m.chat_id from messages m
             join participants p on p.account_id = m.account_id and p.id = m.sender_id
             where m.account_id = $1 and p.handle = $2`,
      values: [account.ref.id, from],
    });
    const { id = "", chat_id = "" } = row ?? {};
    const text = { parts: [{ type: "text", value: "hello" }] };
    const calls: [string, object?][] = [
      [`POST /v3/chats/${chat_id}/messages`, { message: text }],
      [`POST /v3/chats/${chat_id}/polls`, { poll: { options: [{ text: "a" }, { text: "b" }] } }],
      [`POST /v3/chats/${chat_id}/read`],
      [`POST /v3/chats/${chat_id}/typing`],
      [`DELETE /v3/chats/${chat_id}/typing`],
      [`POST /v3/chats/${chat_id}/share_contact_card`],
      [`POST /v3/chats/${chat_id}/background`, { type: "color", variant: "mango" }],
      [`DELETE /v3/chats/${chat_id}/background`],
      [`POST /v3/messages/${id}/reactions`, { operation: "add", type: "love" }],
      [`POST /v3/messages/${id}/reactions`, { operation: "remove", type: "love" }],
    ];
    for (const [what, body] of calls) {
      const answer = await callApi(what as `POST ${string}`, { token: account.token, ...(body && { body }) });
      expect([what, answer.status, answer.body?.error?.code]).toEqual([what, 400, 1002]);
    }
    // People of the team still see what they have read.
    const params = { chatId: chat_id };
    await markRead(account.context(), { params });
    const marked = await sql.runText({
      text: "select is_unread from chats where account_id = $1 and id = $2 and read_up_to is not null",
      values: [account.ref.id, chat_id],
    });
    expect(marked).toEqual([{ is_unread: false }]);
  },
);

describe("a message that was set aside and is stored later", () => {
  /** Stores the messages that were set aside, in their order, with a service that exists. */
  async function retry(from: string): Promise<void> {
    const ctx = account.context();
    const rows = await sql.runText<{ id: string; payload: Buffer }>({
      text: "select id, payload from set_aside_events where account_id = $1 and $2 = any(handles) order by first_at, id",
      values: [account.ref.id, from],
    });
    expect(rows).not.toEqual([]);
    for (const { id, payload } of rows) {
      const event = unseal(payload, setAsideContext(account.ref.id, id)).replace('"Fax"', '"SMS"');
      await sql.runText({
        text: "update set_aside_events set payload = $3 where account_id = $1 and id = $2",
        values: [account.ref.id, id, seal(event, setAsideContext(account.ref.id, id))],
      });
      expect(await retrySetAside(ctx, { params: { lineId: line.id, eventId: id } })).toMatchObject({
        stored: true,
      });
    }
  }
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const unstorable = (from: string, text: string, at: Date) => message(from, text, { service: "Fax", at });

  test("does not end an opt-out that began after it came", async () => {
    const from = newHandle();
    await receive(unstorable(from, "hello", ago(5)), message(from, "STOP"));
    await retry(from);
    expect(await textsOf(from)).toEqual(["STOP", "hello"]);
    expect(await isOptedOut(from)).toBe(true);
  });

  test("ends an opt-out that began before it came", async () => {
    const from = newHandle();
    await receive({ type: "opt_out", from, keyword: null, at: ago(9) }, unstorable(from, "hello", ago(5)));
    await retry(from);
    expect(await isOptedOut(from)).toBe(false);
  });

  test("does not begin an opt-out that a later message ended", async () => {
    const from = newHandle();
    await receive(unstorable(from, "STOP", ago(5)), message(from, "hello again"));
    expect(await isOptedOut(from)).toBe(false);
    await retry(from);
    expect(await textsOf(from)).toEqual(["hello again", "STOP"]);
    expect(await isOptedOut(from)).toBe(false);
  });

  test("begins an opt-out when the person wrote nothing since", async () => {
    const from = newHandle();
    await receive(message(from, "hello"), unstorable(from, "STOP", new Date()));
    await retry(from);
    expect(await textsOf(from)).toEqual(["hello", "STOP"]);
    expect(await isOptedOut(from)).toBe(true);
  });
});

describe("a payload that could not be read", () => {
  let understood: InEvent[] | null = null;
  const keptOf = async (owner: TestAccount, lineId: string) =>
    (await listSetAside(owner.context(), { params: { lineId } })).events;

  async function lineWith(transport: Partial<Transport> & { name: string }) {
    registerTransport({ ...numericTransport, ...transport });
    const owner = await createTestAccount({ type: "sandbox" });
    await sql.runText({
      text: "update lines set transport = $2 where account_id = $1",
      values: [owner.ref.id, transport.name],
    });
    return { owner, on: await lineOf(owner) };
  }

  test("is stored by Try again once this version reads it", async () => {
    const { owner, on } = await lineWith({
      name: "rereading",
      readAgain: async () => understood ?? Promise.reject(new AdapterError("rejected", "no")),
    });
    const from = newHandle();
    await inboundSink.receive(on, [
      { type: "unreadable", reason: "an unknown event", payload: `{"from":"${from}"}` },
    ]);
    const [kept] = await keptOf(owner, on.id);
    expect(kept).toMatchObject({ type: "unreadable", can_retry: true });
    const params = { lineId: on.id, eventId: kept?.id ?? "" };

    const again = { stored: false, reason: "an unknown event" };
    expect(await retrySetAside(owner.context(), { params })).toEqual(again);
    understood = [message(from, "read at last")];
    expect(await retrySetAside(owner.context(), { params })).toEqual({ stored: true, reason: null });
    expect(await keptOf(owner, on.id)).toEqual([]);
    const rows = await sql.runText({
      text: "select parts->0->>'value' as text from messages where account_id = $1 and not is_from_me",
      values: [owner.ref.id],
    });
    expect(rows).toEqual([{ text: "read at last" }]);
  });

  test("can't be tried again where the transport does not read it again, or when it was too large to keep", async () => {
    const { owner, on } = await lineWith({ name: "reading-once" });
    await inboundSink.receive(on, [{ type: "unreadable", reason: "unknown", payload: "{}" }]);
    expect(await keptOf(owner, on.id)).toMatchObject([{ can_retry: false }]);

    const large = await lineWith({ name: "rereading-large", readAgain: async () => [] });
    await inboundSink.receive(large.on, [
      { type: "unreadable", reason: "cut", payload: "x".repeat(2 * 1024 * 1024 + 1) },
    ]);
    expect(await keptOf(large.owner, large.on.id)).toMatchObject([{ can_retry: false }]);
  });
});

describe("an event that can't be stored for its content", () => {
  test("is kept sealed, counted when it comes again, and does not stop the one behind it", async () => {
    const from = newHandle();
    const wrong: InEvent = {
      type: "location",
      from,
      at: new Date(),
      change: "started",
      endsAt: null,
      position: NOWHERE,
    };
    logged.length = 0;

    await receive(wrong, message(from, "behind it"));
    await receive({ ...wrong, at: new Date(Date.now() + 1000) });

    expect(await textsOf(from)).toEqual(["behind it"]);
    expect(await setAsideFor(from)).toEqual([
      {
        type: "location",
        reason: "a value of the event is not allowed (23514, location_shares_latitude_check)",
        times: 2,
        is_sealed: true,
      },
    ]);
    expect(logged.join()).toContain("an inbound event was set aside");
  });

  test("a refused one is counted under its reason", async () => {
    const reason = "a message to +12025550199 is of no line";
    await receive({ type: "refused", reason }, { type: "refused", reason });
    const rows = await sql.runText({
      text: "select times, payload from set_aside_events where account_id = $1 and reason = $2",
      values: [account.ref.id, reason],
    });
    expect(rows).toEqual([{ times: 2, payload: null }]);
  });

  test("an id of a message that is none, a time that is none and an unknown type of event stop nothing", async () => {
    const from = newHandle();
    await receive(
      { type: "delivered", ref: "\0".repeat(9), messageId: "not-ours", at: new Date(Number.NaN) },
      message(from, "one", { at: new Date(Number.NaN) }),
      { type: "dance", from, at: new Date() } as never,
      message(from, "two", { ref: "r".repeat(100_000) }),
      message(from, "two again", { ref: "r".repeat(100_000) }),
      message(from, "three", { ref: `${"r".repeat(99_999)}s` }),
    );
    expect(await textsOf(from)).toEqual(["one", "two", "three"]);
    expect(await setAsideFor(from)).toMatchObject([{ type: "dance" }]);
  });
});

const coded = (code: string) => Object.assign(new Error("refused"), { code });

function outage(): Error {
  const error = new Error("Connection terminated");
  markOutage(error, "unknown");
  return error;
}

test.each<[string, unknown, boolean]>([
  ["a closed connection", outage(), true],
  ...[
    "08006",
    "40001",
    "40P01",
    "53100",
    "53200",
    "53300",
    "55P03",
    "57014",
    "57P01",
    "58030",
    "25006",
    "XX000",
  ].map((code) => [`SQLSTATE ${code}`, coded(code), true] as [string, unknown, boolean]),
  ...["22P05", "22021", "22001", "22003", "22P02", "23514", "23502", "23503", "54000", "42703", "42883"].map(
    (code) => [`SQLSTATE ${code}`, coded(code), false] as [string, unknown, boolean],
  ),
  ["a full disk", coded("ENOSPC"), true],
  ["no free file handle", coded("EMFILE"), true],
  ["a missing file", coded("ENOENT"), false],
  ["a host of the vendor that is not found", coded("ENOTFOUND"), false],
  ["a vendor that is down", new AdapterError("line_down", "down"), true],
  ["a vendor that refuses", new AdapterError("rejected", "no"), false],
  ["no space for uploads", new ApiError("service_unavailable"), true],
  ["invalid content", new ApiError("content_invalid"), false],
  ["a defect", new TypeError("undefined is not a function"), false],
  ["an aborted step", new DOMException("aborted", "AbortError"), true],
  ["no error at all", "text", false],
])("%s: the vendor delivers again: %3$s", (_, error, again) => {
  expect(isPassing(error)).toBe(again);
});

// Arbitrary values where a transport expects strings, in an event of any type.
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("\0", "\ud800", "STOP", "", "__proto__"),
);
const anyValue = fc.oneof(
  anyText,
  fc.constant(null),
  fc.double(),
  fc.boolean(),
  fc.date({ noInvalidDate: false }),
);

describe("any event", () => {
  test("has only strings that PostgreSQL accepts once it is storable", () => {
    fc.assert(
      fc.property(fc.object({ values: [anyValue], maxDepth: 4 }), (event) => {
        const text = JSON.stringify(makeStorable({ ...event, ref: event.ref } as never));
        expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
      { numRuns: 100 },
    );
  });

  test("is stored, refused or set aside, and the message behind it is stored", async () => {
    const types = [
      ...[
        "message",
        "sent",
        "delivered",
        "read",
        "failed",
        "edited",
        "reaction",
        "poll_options",
        "vote",
        "location",
      ],
      ...["opt_out", "typing", "member", "group_name", "group_icon", "background", "refused", "unheard_of"],
    ];
    const from = newHandle();
    const sent: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        fc.record(
          {
            ref: anyText,
            groupRef: fc.oneof(anyText, fc.constant(null)),
            from: anyText,
            text: anyText,
            name: anyText,
            emoji: anyText,
            reason: anyText,
            handle: anyText,
            option: anyText,
            at: fc.date({ noInvalidDate: false }),
            parts: fc.array(
              fc.record({ type: fc.constantFrom("text", "link", "dance"), value: anyText, url: anyText }),
            ),
            others: fc.array(anyText, { maxLength: 3 }),
            part: fc.oneof(fc.integer(), fc.double()),
            options: fc.array(fc.record({ ref: anyText, text: anyText })),
            reaction: fc.record({ type: anyText, emoji: anyText }),
            change: fc.constantFrom("started", "moved", "added", "left", "x"),
            service: fc.constantFrom("SMS", "iMessage", "Fax"),
            key: anyText,
          },
          { requiredKeys: [] },
        ),
        async (type, properties) => {
          const last = `behind ${sent.length}`;
          sent.push(last);
          await receive({ type, ...properties } as never, message(from, last));
        },
      ),
      { numRuns: 60, seed: 1745279479 },
    );
    expect(await textsOf(from)).toEqual(sent);
  });
});
