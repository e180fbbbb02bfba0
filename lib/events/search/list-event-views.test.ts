import { testEvent } from "@/lib/testing/events/test-event";
import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { GET as eventRoute } from "@/app/api/events/[seq]/route";
import { GET as searchRoute } from "@/app/api/events/route";
import type { EventType } from "@/lib/events/catalog/event-types";
import { MAX_SEARCHED_ROWS } from "@/lib/events/search/prepared-search";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { countStatements } from "@/lib/testing/database/count-statements";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let theirs: TestAccount;
let user: DashboardUser;
let stranger: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  theirs = await createTestAccount({ type: "sandbox" });
  user = await signInAs(account, "viewer");
  stranger = await signInAs(theirs, "admin");
});

async function search(query: Record<string, string>, by = user) {
  const { status, body } = await by.call(searchRoute, { query });
  expect(body).toMatchObject({ events: expect.any(Array) });
  expect(status).toBe(200);
  return body as {
    events: { id: string; seq: number; type: string; created_at: string; deliveries: object }[];
    next_cursor: string | null;
    found: { kind: string; id: string } | null;
    searched_back_to: string | null;
  };
}

async function idsOf(query: Record<string, string>, by = user): Promise<string[]> {
  return (await search(query, by)).events.map((event) => event.id);
}

/** Emits events with the test's own data. Returns their ids and numbers, oldest first. */
async function emit(...events: Partial<NewEvent>[]): Promise<{ id: string; seq: number }[]> {
  const traceId = newTraceId();
  const all = events.map((event) => testEvent(account.ref.id, { traceId, ...event }));
  await transaction((tx) => emitEvents(tx, all));
  return sql.runText<{ id: string; seq: number }>({
    text: "select id, seq::int from events where seq > (select max(seq) from events) - $1 order by seq",
    values: [events.length],
  });
}

async function emitOne(event: Partial<NewEvent> = {}): Promise<{ id: string; seq: number }> {
  const [emitted] = await emit(event);
  if (emitted === undefined) throw new Error("nothing was emitted");
  return emitted;
}

function randomId(): string {
  return newId(now().getTime());
}

async function subscribe(types: EventType[]): Promise<string> {
  const { body } = await callApi("POST /v3/webhook-subscriptions", {
    token: account.token,
    body: { target_url: `https://example.com/${randomId()}`, subscribed_events: types },
  });
  return body.id;
}

async function deliveryOf(seq: number): Promise<string> {
  const [row] = await sql.runText<{ id: string }>({
    text: "select id from webhook_deliveries where account_id = $1 and event_seq = $2",
    values: [account.ref.id, seq],
  });
  return row?.id ?? "";
}

async function setStatus(seq: number, status: string): Promise<void> {
  await sql.runText({
    text: `update webhook_deliveries set status = $3::webhook_delivery_status, run_at = null, ended_at = now()
           where account_id = $1 and event_seq = $2`,
    values: [account.ref.id, seq, status],
  });
}

describe("the search box recognises", () => {
  test("an event by its id and by its number", async () => {
    const { id, seq } = await emitOne();
    for (const q of [id, id.toUpperCase(), ` ${id} `, `${seq}`, `#${seq}`]) {
      expect(await search({ q })).toMatchObject({ events: [{ id }], found: { kind: "event", id } });
    }
  });

  test("a message, its chat, the line and the contact: what happened to each", async () => {
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const { events } = await search({ q: chatId });
    expect(events.map((event) => event.type).sort()).toEqual(["chat.created", "message.received"]);
    const received = events.find((event) => event.type === "message.received");

    const [{ message_id, line_id } = { message_id: "", line_id: "" }] = await sql.runText<{
      message_id: string;
      line_id: string;
    }>({ text: "select message_id, line_id from events where id = $1", values: [received?.id] });
    expect(await search({ q: message_id })).toMatchObject({
      events: [{ id: received?.id }],
      found: { kind: "message" },
    });
    for (const q of [account.line, account.line.slice(1), line_id]) {
      const onLine = await search({ q });
      expect(onLine.found).toEqual({ kind: "line", id: line_id });
      expect(onLine.events.map((event) => event.id)).toEqual(
        expect.arrayContaining(events.map((event) => event.id)),
      );
    }
    const ofContact = await search({ q: phone });
    expect(ofContact.found).toEqual({ kind: "contact", id: phone });
    expect(ofContact.events.map((event) => event.id).sort()).toEqual(events.map((event) => event.id).sort());
  });

  test("a trace id, a delivery and a subscription", async () => {
    const subscription = await subscribe(["message.edited"]);
    const traceId = newTraceId();
    const [first, second] = await emit({ type: "message.edited", traceId, data: {} }, { traceId });
    expect((await idsOf({ q: traceId })).sort()).toEqual([first?.id, second?.id].sort());

    const delivery = await deliveryOf(first?.seq ?? 0);
    expect(await search({ q: delivery })).toMatchObject({
      events: [{ id: first?.id, deliveries: { waiting: 1, delivered: 0, failed: 0, skipped: 0 } }],
      found: { kind: "delivery", id: delivery },
    });
    expect(await search({ q: subscription })).toMatchObject({
      events: [{ id: first?.id }, { type: "webhook_subscription.created" }],
      found: { kind: "subscription" },
    });
  });

  test("a subscription without deliveries, a payment request and an attachment", async () => {
    const subscription = await subscribe(["message.edited"]);
    await callApi(`DELETE /v3/webhook-subscriptions/${subscription}`, { token: account.token });
    expect((await search({ q: subscription })).events.map(({ type }) => type)).toEqual([
      "webhook_subscription.deleted",
      "webhook_subscription.created",
    ]);

    const request = await requestPayment(account);
    const { traceId } = await rowOf(account, request.id);
    const paid = await emitOne({ type: "payment.succeeded", traceId, data: {} });
    expect(await search({ q: request.id })).toMatchObject({
      events: [{ id: paid.id }],
      found: { kind: "payment_request", id: request.id },
    });

    const file = { filename: "a.png", content_type: "image/png", size_bytes: 64 };
    const { body: attachment } = await callApi("POST /v3/attachments", { token: account.token, body: file });
    const phone = await createTestPhone(account);
    const { messageId } = await writeAs(account, phone, { to: account.line, text: "look" });
    await sql.runText({
      text: "insert into attachment_uses (account_id, attachment_id, message_id) values ($1, $2, $3)",
      values: [account.ref.id, attachment.attachment_id, messageId],
    });
    const { events, found } = await search({ q: attachment.attachment_id });
    expect(found).toEqual({ kind: "attachment", id: attachment.attachment_id });
    expect(events.map(({ type }) => type)).toEqual(["message.received"]);

    for (const q of [subscription, request.id, attachment.attachment_id]) {
      expect(await idsOf({ q }, stranger)).toEqual([]);
    }
  });

  test("nothing of another account, whatever its id, number, trace or delivery", async () => {
    const subscription = await subscribe(["message.edited"]);
    const phone = await createTestPhone(account);
    const chatId = await createDirectChat(account, phone);
    const traceId = newTraceId();
    const { id, seq } = await emitOne({ type: "message.edited", traceId, chatId, data: {} });
    const delivery = await deliveryOf(seq);
    for (const q of [id, `${seq}`, traceId, chatId, phone, account.line, delivery, subscription]) {
      expect((await idsOf({ q })).length).toBeGreaterThan(0);
      expect(await idsOf({ q }, stranger)).toEqual([]);
    }
    expect(await idsOf({ chat_id: chatId }, stranger)).toEqual([]);
    expect(await idsOf({ subscription_id: subscription }, stranger)).toEqual([]);
  });

  test("an id without an object finds nothing; text that is no id is 400/1005", async () => {
    expect(await search({ q: randomId() })).toEqual({
      events: [],
      next_cursor: null,
      total: { count: 0, is_capped: false },
      found: null,
      searched_back_to: null,
    });
    const { status, body } = await user.call(searchRoute, { query: { q: "hello there" } });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 1005, message: expect.stringContaining("phone number") });
  });

  test("no internal event, by its id, number or trace", async () => {
    const traceId = newTraceId();
    const { id, seq } = await emitOne({ type: "message.accepted", internal: true, traceId });
    for (const q of [id, `#${seq}`, traceId]) expect(await idsOf({ q })).toEqual([]);
  });
});

describe("events are narrowed by", () => {
  test("types, line, chat and time together", async () => {
    const [line, chat] = [randomId(), randomId()];
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
    const [first, second] = await emit(
      { lineId: line, chatId: chat, at: at(0) },
      { lineId: line, chatId: chat, at: at(10) },
      { lineId: line, at: at(5) },
      { lineId: line, chatId: chat, type: "chat.created", at: at(5), data: {} },
      { lineId: randomId(), chatId: chat, at: at(5) },
    );
    const wanted = { types: "message.sent,message.read", line_id: line, chat_id: chat };
    expect(await idsOf(wanted)).toEqual([second?.id, first?.id]);
    const [from, to] = [at(0).toISOString(), at(10).toISOString()];
    expect(await idsOf({ ...wanted, from, to })).toEqual([first?.id]);
    expect(await idsOf({ ...wanted, from: to })).toEqual([second?.id]);
  });

  test.each(["waiting", "delivered", "failed", "skipped"])("the status %s of a delivery", async (status) => {
    const subscription = await subscribe(["poll.updated"]);
    const [one, other] = await emit(
      { type: "poll.updated", data: {} },
      { type: "poll.updated", data: {} },
      { type: "poll.sent", data: {} },
    );
    await setStatus(other?.seq ?? 0, status === "failed" ? "delivered" : "failed");
    if (status !== "waiting") await setStatus(one?.seq ?? 0, status);
    expect(await idsOf({ status, subscription_id: subscription })).toEqual([one?.id]);
    const found = await idsOf({ status, types: "poll.updated,poll.sent" });
    expect(found).toContain(one?.id);
    expect(found).not.toContain(other?.id);
    expect(await idsOf({ subscription_id: subscription })).toEqual([other?.id, one?.id]);
  });

  test("a JSON path that says yes or no, and one that selects", async () => {
    const chat_id = randomId();
    const details = (amount: number, note?: string) => ({
      chatId: chat_id,
      data: { order: { amount }, note },
    });
    const [small, big] = await emit(details(5), details(50, "a refund"));
    const matching = (json_path: string) => idsOf({ chat_id, json_path });
    expect(await matching("$.order.amount > 10")).toEqual([big?.id]);
    expect(await matching("$.order ? (@.amount < 10)")).toEqual([small?.id]);
    expect(await matching("$.note")).toEqual([big?.id]);
    expect(await matching('$.note like_regex "^a REFUND$" flag "i"')).toEqual([big?.id]);
    expect(await matching("exists($.note)")).toEqual([big?.id]);
    expect(await matching("strict $.nothing.at.all == 1")).toEqual([]);
  });

  test.each([
    "$.",
    "$.a ==",
    "'; drop table events; --",
    '$.a like_regex "("',
    "$.a ? (@ = 1)",
    "$.a\u0000",
    `$.${"x".repeat(1000)}`,
  ])("no JSON path that is not valid: %.30j is 400/1005", async (json_path) => {
    const { status, body } = await user.call(searchRoute, { query: { json_path } });
    expect(status).toBe(400);
    expect(body.error.code).toBe(1005);
  });
});

describe("pages", () => {
  test.each<Record<string, string>>([{}, { from: "2020-01-01T00:00:00Z" }])(
    "follow each other without a gap or a repeat (%j)",
    async (by) => {
      const chat_id = randomId();
      const at = now();
      // The same time on purpose, so that the order cannot depend on time alone.
      const emitted = await emit(...Array.from({ length: 7 }, () => ({ chatId: chat_id, at })));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof search>> = await search({
          chat_id,
          limit: "3",
          ...by,
          ...(cursor && { cursor }),
        });
        seen.push(...page.events.map((event) => event.id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(emitted.map((event) => event.id).reverse());
    },
  );

  test("take the same number of statements whatever their size", async () => {
    const chat_id = randomId();
    await emit(...Array.from({ length: 70 }, () => ({ chatId: chat_id })));
    const count = (query: Record<string, string>) => countStatements(() => search({ chat_id, ...query }));
    expect(await count({ limit: "60" })).toBe(await count({ limit: "2" }));
    const path = { json_path: "$.message" };
    expect(await count({ limit: "60", ...path })).toBe(await count({ limit: "2", ...path }));
  });

  test("look into a bounded number of events for a JSON path, and say how far they came", async () => {
    const chat_id = randomId();
    await sql.runText({
      text: `insert into events (account_id, id, type, trace_id, chat_id, data, created_at)
             select $1, gen_random_uuid(), 'message.sent', md5(n::text), $2,
               jsonb_build_object('n', n), timestamptz '2026-01-01' + n * interval '1 second'
             from generate_series(1, $3::int) n`,
      values: [account.ref.id, chat_id, MAX_SEARCHED_ROWS + 10],
    });
    const wanted = { chat_id, json_path: "$.n == 3" };
    const first = await search(wanted);
    expect(first.events).toEqual([]);
    expect(first.searched_back_to).toBe("2026-01-01T00:00:11.000Z");
    const second = await search({ ...wanted, cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ next_cursor: null, searched_back_to: null });
    expect(second.events).toHaveLength(1);
  });

  test("end with 400/1005 when a path takes too long", async () => {
    const chat_id = randomId();
    const deep = { list: Array.from({ length: 3000 }, (_, index) => index) };
    await emitOne({ chatId: chat_id, data: deep });
    const { status, body } = await user.call(searchRoute, {
      query: { chat_id, json_path: "$.list[*] ? ($.list[*] == -1 || exists($.list[*] ? ($.list[*] == -2)))" },
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 1005, message: expect.stringContaining("filter by") });
  });
});

test("an event is shown in both versions, with its facts and what became of each delivery", async () => {
  const subscription = await subscribe(["message.sent"]);
  const { id, seq } = await emitOne();
  const { body } = await user.call(eventRoute, { params: { seq: `${seq}` } });
  expect(body).toMatchObject({
    event: { id, seq },
    payloads: [
      { version: "2026-02-03", payload: { event_id: id, data: { direction: "outbound" } } },
      { version: "2025-01-01", payload: { event_id: id, data: { is_from_me: true } } },
    ],
    details: { message: { is_from_me: true } },
    deliveries: [
      {
        subscription_id: subscription,
        status: "waiting",
        next_attempt_at: expect.any(String),
        replay_id: null,
        attempts: [],
      },
    ],
  });
  const foreign = await stranger.call(eventRoute, { params: { seq: `${seq}` } });
  expect(foreign.status).toBe(404);
});
