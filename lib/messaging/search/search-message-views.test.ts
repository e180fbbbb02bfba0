import "@/lib/testing/use-test-database";

import { beforeEach, describe, expect, test } from "vitest";
import * as ERASURE from "@/app/api/customers/[handle]/erasure/route";
import { lastSeq } from "@/lib/events/store/logged-event";
import { sweepExpiredSandboxes } from "@/lib/identity/accounts/sweep-expired-sandboxes";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { deleteMessage } from "@/lib/messaging/expiry/delete-message";
import { eraseContent } from "@/lib/messaging/expiry/erase-content";
import { expireContent } from "@/lib/messaging/expiry/expire-content";
import { indexMessages } from "@/lib/messaging/search/index-messages";
import { searchMessageViews } from "@/lib/messaging/search/search-message-views";
import { indexStep } from "@/lib/messaging/search/store/index-step";
import { sweepSearch } from "@/lib/messaging/search/store/sweep-search";
import { dedicatedClient, sql, transaction } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { now, setClock } from "@/lib/platform/time/clock";
import { performErasure } from "@/lib/privacy/erasure/work-erasures";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { acceptTestMessage, createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const never = new AbortController().signal;

let account: TestAccount;
let phone: string;
let chatId: string;

beforeEach(async () => {
  setClock(null);
  account = await createTestAccount({ type: "sandbox" });
  phone = await createTestPhone(account);
  chatId = await createDirectChat(account, phone);
});

/** The texts of the found messages, newest first, with the found words in brackets. */
async function find(q: string, more: object = {}, of = account): Promise<string[]> {
  const { messages } = await search(q, more, of);
  return messages.map(({ sentence }) =>
    sentence.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join(""),
  );
}

function search(q: string, more: object = {}, of = account) {
  return searchMessageViews(of.context(), { query: { q, zone: "UTC", limit: 30, ...more } });
}

const receive = (text: string, from = phone) => writeAs(account, from, { to: account.line, text });
const send = (text: string) => acceptTestMessage(account, chatId, text);

/** The messages of the account in the index. */
async function indexedCount(): Promise<number> {
  const [row] = await sql.runText<{ count: number }>({
    text: "select count(*)::int as count from message_search where account_id = $1",
    values: [account.ref.id],
  });
  return row?.count ?? -1;
}

/** Copies a message of the chat `count` times, as messages of an earlier release, whose events are gone. */
async function addEarlierMessages(count: number, text: (n: number) => string): Promise<void> {
  const texts = Array.from({ length: count }, (_, n) => text(n));
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at)
           select m.account_id, (left(m.id::text, 24) || lpad(n::text, 12, '0'))::uuid, m.chat_id, m.line_id, m.sender_id,
             false, jsonb_build_array(jsonb_build_object('type', 'text', 'value', t.text)), 'received', m.trace_id,
             m.created_at, m.updated_at
           from (select * from messages where account_id = $1 and chat_id = $2 order by id limit 1) m
             cross join unnest($3::text[]) with ordinality as t(text, n)`,
    values: [account.ref.id, chatId, texts],
  });
}

describe("a message is found", () => {
  beforeEach(async () => {
    await receive("I lost my umbrella on the ferry. Can you send me the refund?");
    await send("Your refunds: $1,200.50 for order INV2024, see invoice-march.pdf.");
    await receive("我的雨傘在渡輪上丟了");
    await indexMessages(never);
    await indexMessages(never);
  });

  test.each([
    ["by a word", "umbrella", ["I lost my [umbrella] on the ferry. "]],
    ["by the beginning of a word, in any case", "UMBR", ["I lost my [umbrella] on the ferry. "]],
    ["by words in any order", "ferry lost", ["I [lost] my umbrella on the [ferry]. "]],
    [
      "by a word that another begins with, newest first",
      "refund",
      [
        "Your [refunds]: $1,200.50 for order INV2024, see invoice-march.pdf.",
        "Can you send me the [refund]?",
      ],
    ],
    ["by a phrase", '"on the ferry"', ["I lost my umbrella [on] [the] [ferry]. "]],
    ["not by a phrase in another order", '"ferry the on"', []],
    ["not by a part of a word", "brella", []],
    ["by an amount", "1200.50", ["Your refunds: $[1,200.50] for order INV2024, see invoice-march.pdf."]],
    [
      "by an amount in another notation",
      "1.200,50",
      ["Your refunds: $[1,200.50] for order INV2024, see invoice-march.pdf."],
    ],
    [
      "by a number in a word",
      "2024",
      ["Your refunds: $1,200.50 for order INV[2024], see invoice-march.pdf."],
    ],
    [
      "by a file name",
      "invoice-march.pdf",
      ["Your refunds: $1,200.50 for order INV2024, see [invoice]-[march].[pdf]."],
    ],
    ["by a word in a script without spaces", "雨傘", ["我的[雨傘]在渡輪上丟了"]],
    ["by one character", "渡", ["我的雨傘在[渡]輪上丟了"]],
    ["from the customer", "refund from:customer", []],
    [
      "from the account's side",
      "refund from:me",
      ["Your [refunds]: $1,200.50 for order INV2024, see invoice-march.pdf."],
    ],
  ])("%s", async (_, q, expected) => {
    expect(await find(q)).toEqual(expected);
  });

  test("by its sender's number or name, its line and its day", async () => {
    const other = await createTestPhone(account);
    await receive("Another refund", other);
    await sql.runText({
      text: `insert into contacts (account_id, handle, name) values ($1, $2, 'Zoë Álvarez')
             on conflict (account_id, handle) do update set name = excluded.name`,
      values: [account.ref.id, other],
    });
    await indexMessages(never);

    const others = ["Another [refund]"];
    expect(await find(`refund from:${other}`)).toEqual(others);
    expect(await find(`refund from:${other.slice(-6)}`)).toEqual(others);
    expect(await find("refund from:zoë")).toEqual(others);
    expect(await find('refund from:"Zoë Á"')).toEqual(others);
    expect(await find(`from:${other}`)).toEqual(["Another refund"]);
    expect(await find("refund from:nobody@example.com")).toEqual([]);
    expect(await find(`refund line:${account.line}`)).toHaveLength(3);
    expect(await find("refund line:+15559999999")).toEqual([]);
    expect(await find(`refund with:${phone}`)).toHaveLength(2);
    expect(await find("refund with:zoë")).toEqual(others);
    await sql.runText({
      text: "update lines set label = 'Front Desk' where account_id = $1",
      values: [account.ref.id],
    });
    expect(await find('refund line:"front d"')).toHaveLength(3);
    expect(await find("refund", { handle: other })).toEqual(others);
    expect(await find("refund", { chat_id: chatId })).toHaveLength(2);

    const day = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await find(`refund after:${day(0)}`)).toHaveLength(3);
    expect(await find(`refund after:${day(1)}`)).toEqual([]);
    expect(await find(`refund before:${day(1)} after:${day(-1)}`)).toHaveLength(3);
    expect(await find(`refund before:${day(0)}`)).toEqual([]);
  });

  test("page by page, each once", async () => {
    for (let n = 0; n < 5; n++) await send(`ticket number ${n}`);
    await indexMessages(never);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search("ticket", { limit: 2, ...(cursor !== undefined && { cursor }) });
      found.push(...page.messages.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toHaveLength(5);
    expect(new Set(found).size).toBe(5);
    expect((await search("ticket")).messages.map(({ id }) => id)).toEqual(found);
  });

  test.each([
    ["without a word", "!!!", "must contain a word"],
    ["with a day that does not exist", "refund before:2026-02-30", "before: takes a date"],
    ["in the year 0, which PostgreSQL does not have", "refund before:0000", "before: takes a date"],
    ["from a month of the year 0", "refund after:0000-05", "after: takes a date"],
  ])("and a search %s is refused", async (_, q, message) => {
    await expect(search(q)).rejects.toMatchObject({
      errorName: "parameter_invalid",
      message: expect.stringContaining(message),
    });
  });

  test("with HTML and SQL in it as plain text", async () => {
    await receive(`<img src=x onerror=alert(1)> said "O'Brien \\ § & | !"`);
    await indexMessages(never);
    expect(await find("onerror")).toEqual([`<img src=x [onerror]=alert(1)> said "O'Brien \\ § & | !"`]);
    for (const q of ["o'brien", "'", "\\", "§", "a & b | !c", "<->", "x':*"]) {
      await search(`obrien ${q}`).catch((error: unknown) =>
        expect(error).toMatchObject({ errorName: "parameter_invalid" }),
      );
    }
  });
});

describe("the job", () => {
  test("does not pass over a message whose transaction commits late", async () => {
    await indexMessages(never);
    const client = dedicatedClient(60_000);
    await client.connect();
    try {
      await client.query("begin");
      const late = newId(Date.now());
      await client.query(
        `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
           created_at, updated_at)
         select account_id, $2, chat_id, line_id, sender_id, false, '[{"type": "text", "value": "a late umbrella"}]',
           'received', trace_id, created_at, updated_at
         from messages where account_id = $1 order by id limit 1`,
        [account.ref.id, late],
      );
      await client.query(
        `insert into events (account_id, id, type, chat_id, message_id, trace_id, data, created_at)
         values ($1, $2, 'message.received', $3, $4, $5, '{}', now())`,
        [account.ref.id, newId(Date.now()), chatId, late, newTraceId()],
      );
      await receive("an early umbrella");
      const indexing = indexMessages(never);
      await client.query("commit");
      await indexing;
    } finally {
      await client.end();
    }
    expect(await find("umbrella")).toEqual(["an early [umbrella]", "a late [umbrella]"]);
  });

  test("adds the messages of earlier releases in batches, newest first, and says so meanwhile", async () => {
    await addEarlierMessages(2500, (n) => `archived umbrella ${n}`);
    expect((await search("umbrella")).state).toBe("catching_up");
    const stop = new AbortController();
    const indexing = indexMessages(stop.signal);
    while ((await indexedCount()) === 0);
    stop.abort();
    await indexing;
    const part = await indexedCount();
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(2501);
    expect((await search("umbrella")).state).toBe("catching_up");

    await indexMessages(never);
    expect(await indexedCount()).toBe(2501);
    expect((await search("umbrella")).state).toBe("on");
    expect(await find("umbrella", { limit: 1 })).toEqual(["archived [umbrella] 2499"]);
    expect(await find('"archived umbrella 0"')).toEqual(["[archived] [umbrella] [0]"]);
  });

  test("keeps nothing of a step that fails, and repeats it, while other accounts are indexed", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    await indexMessages(never);
    await receive("the first umbrella");
    await sql.runText({
      text: `create function refuse_search() returns trigger language plpgsql as
             $$ begin raise exception 'the disk is full'; end $$`,
    });
    await sql.runText({
      text: `create trigger refuse_search before update on message_search_progress for each row
             when (old.account_id = '${account.ref.id}') execute function refuse_search()`,
    });
    await createDirectChat(other, await createTestPhone(other));
    await indexMessages(never);
    expect(await find("umbrella")).toEqual([]);
    expect(await find("hello", {}, other)).toHaveLength(1);

    await sql.runText({ text: "drop function refuse_search() cascade" });
    await indexMessages(never);
    expect(await find("umbrella")).toEqual(["the first [umbrella]"]);
  });

  test("adds the messages around one that PostgreSQL refuses, and removes the refused one's earlier words", async () => {
    const refused = await send("a plain umbrella");
    await indexMessages(never);
    await indexMessages(never);
    expect(await find("umbrella")).toHaveLength(1);
    await sql.runText({
      text: `create function refuse_terms() returns trigger language plpgsql as
             $$ begin raise exception 'string is too long for tsvector' using errcode = '54000'; end $$`,
    });
    await sql.runText({
      text: `create trigger refuse_terms before insert on message_search for each row
             when (new.message_id = '${refused}') execute function refuse_terms()`,
    });
    await sql.runText({
      text: `insert into events (account_id, id, type, chat_id, message_id, trace_id, data, created_at)
             values ($1, $2, 'message.edited', $3, $4, $5, '{}', now())`,
      values: [account.ref.id, newId(Date.now()), chatId, refused, newTraceId()],
    });
    for (let n = 0; n < 12; n++) await receive(`umbrella ${n}`);
    await indexMessages(never);
    expect(await find("umbrella")).toHaveLength(12);
    expect((await search("umbrella")).state).toBe("on");

    await sql.runText({
      text: "update message_search_progress set messages_from = $2 where account_id = $1",
      values: [account.ref.id, "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    });
    await indexMessages(never);
    expect((await search("umbrella")).state).toBe("on");
    expect(await find("umbrella")).toHaveLength(12);
    await sql.runText({ text: "drop function refuse_terms() cascade" });
  });

  test("adds a message of a megabyte of words, and those beside it", async () => {
    const letters = (n: number) => [...String(n)].map((digit) => "абвгдежзик"[Number(digit)]).join("");
    const large = Array.from({ length: 16_000 }, (_, n) => `${"ж".repeat(58)}${letters(n)}`).join(" ");
    await addEarlierMessages(3, (n) => (n === 1 ? `umbrella ${large}` : `umbrella ${n}`));
    await indexMessages(never);
    await indexMessages(never);
    expect(await find("umbrella")).toHaveLength(3);
    expect((await search("umbrella")).state).toBe("on");
  });

  test("in several processes at once adds each message once", async () => {
    await addEarlierMessages(1500, (n) => `umbrella ${n}`);
    await receive("another umbrella");
    await Promise.all([indexMessages(never), indexMessages(never), indexMessages(never)]);
    await indexMessages(never);
    expect(await indexedCount()).toBe(1502);
    const [segment] = await sql.runText<{ count: number }>({
      text: "select sum(message_count)::int as count from message_search_segments where account_id = $1",
      values: [account.ref.id],
    });
    expect(segment?.count).toBeGreaterThanOrEqual(1502);
  });

  test("replaces the words of a message that is edited", async () => {
    const { messageId } = await receive("meet at noon");
    await indexMessages(never);
    expect(await find("noon")).toHaveLength(1);
    const edited = await callApi(`POST /simulator/phones/${encodeURIComponent(phone)}/edits`, {
      token: account.token,
      body: { message_id: messageId, text: "meet at midnight" },
    });
    expect(edited.status).toBeLessThan(300);
    await indexMessages(never);
    expect([await find("noon"), await find("midnight")]).toEqual([[], ["meet at [midnight]"]]);
  });

  test("never stores codes, passwords and the secret part of links", async () => {
    await send("Your code is 482913. Never share it.");
    await receive("my password: hunter2");
    await indexMessages(never);
    await indexMessages(never);
    const rows = await sql.runText<{ terms: string }>({
      text: "select terms::text as terms from message_search where account_id = $1",
      values: [account.ref.id],
    });
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/482913|hunter2/);
    expect(await find("share")).toEqual(["Never [share] it."]);
    expect(await find("482913")).toEqual([]);
  });
});

describe("removed from the search is", () => {
  test("a message that is deleted, also while a step adds it", async () => {
    const deleted = await send("a deleted umbrella");
    await indexMessages(never);
    await indexMessages(never);
    const input = { params: { messageId: deleted }, query: undefined, body: undefined };
    await deleteMessage(account.context(), input);
    expect([await find("umbrella"), await indexedCount()]).toEqual([[], 1]);

    const racing = await send("a racing umbrella");
    const last = await lastSeq(sql);
    let indexing: Promise<void> | undefined;
    await transaction(async (tx) => {
      await tx.runText({ text: "update messages set deleted_at = now() where id = $1", values: [racing] });
      await eraseContent(tx, account.ref.id, [racing]);
      indexing = indexStep(account.ref.id, last);
      await untilLocked();
    });
    await indexing;
    expect(await indexedCount()).toBe(1);
  });

  test("a message that expires", async () => {
    await updateAccountOptions(account.context(), { body: { retention_minutes: 60 } });
    await send("an expiring umbrella");
    await indexMessages(never);
    await indexMessages(never);
    expect(await indexedCount()).toBe(2);
    setClock({ offsetMs: 61 * 60_000, frozenAt: null });
    await expireContent(never);
    await indexMessages(never);
    expect([await find("umbrella"), await indexedCount()]).toEqual([[], 0]);
  });

  test("everything in the chats of a person who is erased", async () => {
    const other = await createTestPhone(account);
    await receive("a kept umbrella", other);
    await receive("an erased umbrella");
    await indexMessages(never);
    await indexMessages(never);
    const admin = await signInAs(account, "admin");
    const confirmed = { method: "POST", params: { handle: phone }, body: { confirmation: phone } } as const;
    const { status, body } = await admin.call(ERASURE.POST, confirmed);
    expect(status).toBe(202);
    await performErasure(account.ref.id, body.id);
    await indexMessages(never);

    expect(await find("umbrella")).toEqual(["a kept [umbrella]"]);
    expect(await indexedCount()).toBe(1);
  });

  test("everything of an account whose search is switched off; switched on again, everything is added", async () => {
    await receive("an umbrella");
    await indexMessages(never);
    await indexMessages(never);
    const stored = await indexedCount();
    await updateAccountOptions(account.context(), { body: { message_search: false } });
    expect(await search("umbrella")).toEqual({ messages: [], next_cursor: null, state: "off" });
    await indexMessages(never);
    expect(await indexedCount()).toBe(0);
    await receive("unheard umbrella");
    await indexMessages(never);
    expect(await indexedCount()).toBe(0);

    await updateAccountOptions(account.context(), { body: { message_search: true } });
    await indexMessages(never);
    expect(await indexedCount()).toBe(stored + 1);
    expect(await find("umbrella")).toHaveLength(2);
  });
});

test("a search that is switched off and on again while its messages are removed begins anew", async () => {
  await addEarlierMessages(2500, (n) => `archived umbrella ${n}`);
  await indexMessages(never);
  await indexMessages(never);
  const stored = await indexedCount();
  await updateAccountOptions(account.context(), { body: { message_search: false } });
  await indexStep(account.ref.id, await lastSeq(sql));
  expect(await indexedCount()).toBe(stored - 1000);
  await updateAccountOptions(account.context(), { body: { message_search: true } });
  expect((await search("umbrella")).state).toBe("catching_up");
  await indexMessages(never);
  await indexMessages(never);
  expect(await indexedCount()).toBe(stored);
  expect((await search("umbrella")).state).toBe("on");
});

describe("the sweep removes", () => {
  /** Only this account is due. */
  const makeDue = () =>
    sql.runText({
      text: `update message_search_progress
             set swept_to = null, swept_at = case when account_id <> $1 then now() end`,
      values: [account.ref.id],
    });

  test("messages that an earlier release deleted, in batches, and no other", async () => {
    await addEarlierMessages(2500, (n) => `archived umbrella ${n}`);
    await indexMessages(never);
    await indexMessages(never);
    const stored = await indexedCount();
    await sql.runText({
      text: `update messages set deleted_at = now() where account_id = $1
             and parts->0->>'value' in ('archived umbrella 0', 'archived umbrella 1200', 'archived umbrella 2499')`,
      values: [account.ref.id],
    });
    await sql.runText({
      text: "delete from messages where account_id = $1 and parts->0->>'value' = 'archived umbrella 7'",
      values: [account.ref.id],
    });
    await makeDue();
    const counts: number[] = [];
    while (await sweepSearch()) counts.push(await indexedCount());
    expect(counts).toHaveLength(3);
    expect(counts[0]).toBeGreaterThan(stored - 4);
    expect(counts[2]).toBe(stored - 4);
    expect(await sweepSearch()).toBe(false);
  });

  test("nothing twice: the job ends its sweep when no account is due", async () => {
    const deleted = await send("a deleted umbrella");
    await indexMessages(never);
    await indexMessages(never);
    await sql.runText({ text: "update messages set deleted_at = now() where id = $1", values: [deleted] });
    await makeDue();
    await indexMessages(never);
    expect(await indexedCount()).toBe(1);
  });
});

test("of an account that is deleted nothing remains, also when the job adds a message meanwhile", async () => {
  await receive("an umbrella");
  await sql.runText({
    text: `create function add_again() returns trigger language plpgsql as $$ begin
             insert into message_search (account_id, message_id, position, terms)
             values ('${account.ref.id}', gen_random_uuid(), 1, 'umbrella');
             return null; end $$`,
  });
  await sql.runText({
    text: "create trigger add_again after delete on messages for each statement execute function add_again()",
  });
  await sql.runText({
    text: "update accounts set disposable_until = now() - interval '1 minute' where id = $1",
    values: [account.ref.id],
  });
  expect(await sweepExpiredSandboxes(never)).toBe(1);
  await sql.runText({ text: "drop function add_again() cascade" });
  expect(await indexedCount()).toBe(0);
});

test("a filter by a person with more chats than are searched says so", async () => {
  await receive("our umbrella");
  await indexMessages(never);
  await indexMessages(never);
  expect(await search(`umbrella from:${phone}`)).not.toHaveProperty("is_limited");
  await sql.runText({
    text: `with c as (
             insert into chats select (jsonb_populate_record(c, 
               jsonb_build_object('id', gen_random_uuid(), 'participants_key', gen_random_uuid()))).*
             from chats c, generate_series(1, 200) where c.id = $1 returning account_id, id
           )
           insert into participants select (jsonb_populate_record(p,
             jsonb_build_object('id', gen_random_uuid(), 'chat_id', c.id))).*
           from c, participants p where p.chat_id = $1 and not p.is_me`,
    values: [chatId],
  });
  expect(await search(`umbrella from:${phone}`)).toMatchObject({ is_limited: true });
  expect(await search("umbrella", { handle: phone })).toMatchObject({ is_limited: true });
  expect(await search("umbrella")).not.toHaveProperty("is_limited");
});

test("no message of another account is found, not even if both use the same key for a segment", async () => {
  const other = await createTestAccount({ type: "sandbox" });
  await createDirectChat(other, await createTestPhone(other));
  await receive("our umbrella");
  await indexMessages(never);
  await indexMessages(never);
  const sameKey = `update message_search_segments s set key = o.key from message_search_segments o
    where s.account_id = $2 and o.account_id = $1`;
  await sql.runText({ text: sameKey, values: [account.ref.id, other.ref.id] });
  expect(await find("umbrella")).toHaveLength(1);
  expect(await find("umbrella", {}, other)).toEqual([]);
  expect(await find("umbrella", { chat_id: chatId }, other)).toEqual([]);
  expect(await find(`umbrella from:${phone}`, {}, other)).toEqual([]);
  expect(await find(`umbrella line:${account.line}`, {}, other)).toEqual([]);
});
