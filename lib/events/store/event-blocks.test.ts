import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainPlans } from "@/lib/testing/database/explain-plan";
import { explainStatements } from "@/lib/testing/database/explain-statements";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

const EVENTS = 30_000;
const LINE = "01a00000-0000-7000-8000-00000000000a";
const OLD_LINE = "01a00000-0000-7000-8000-00000000000b";
const OLD_TRACE = "0123456789abcdef0123456789abcdef";

let account: TestAccount;
let chatId: string;

// One event per second. The first third has a type, a line and a trace that the others do not have, and the chat has
// every hundredth event.
beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
  await sql.runText({
    text: `insert into events (account_id, id, type, line_id, chat_id, trace_id, data, created_at)
           select $1, gen_random_uuid(), case when n <= $2 / 3 then 'message.read' else 'message.sent' end,
             case when n <= $2 / 3 then $4::uuid else $3::uuid end, case when n % 100 = 0 then $5::uuid else gen_random_uuid() end,
             case when n = 100 then $6 else md5(n::text) end, '{}', timestamptz '2026-01-01' + n * interval '1 second'
           from generate_series(1, $2::int) n`,
    values: [account.ref.id, EVENTS, LINE, OLD_LINE, chatId, OLD_TRACE],
  });
  await sql.runText({ text: "analyze events" });
});

function search(query: Record<string, string>, cursor: string | null = null) {
  const parsed = ListEventViews.query.parse({ ...query, ...(cursor && { cursor }) });
  return listEventViews(account.context(), { query: parsed });
}

test.each([
  ["a type", { types: "message.sent" }, "events_type_idx", 4096],
  ["a type of old events only", { types: "message.read" }, "events_type_idx", 4096],
  ["a line", { line_id: LINE }, "events_line_idx", 4096],
  ["a line with old events only", { line_id: OLD_LINE }, "events_line_idx", 4096],
  ["a trace of old events only", { q: OLD_TRACE }, "events_trace_idx", 1],
  ["times", { from: "2026-01-01T02:00:00Z", to: "2026-01-01T03:00:00Z" }, "events_time_idx", 70],
])("a page of %s reads the index, and at most a block", async (_filter, query, index, most) => {
  const plans = await explainPlans(() => search({ limit: "10", ...query }));
  expect(plans.filter((plan) => plan.includes(index))).not.toEqual([]);

  const scans = await explainStatements(() => search({ limit: "10", ...query }));
  const [page] = scans.filter(({ on }) => on === "events");
  expect(page?.rows).toBeGreaterThan(0);
  expect(page?.rows).toBeLessThanOrEqual(most);
});

test("a page of a chat reads its events only, and so do its notes", async () => {
  for (const work of [
    () => search({ chat_id: chatId, limit: "10" }),
    () => listChatNotes(account.context(), { params: { chatId } }),
  ]) {
    const plans = await explainPlans(work);
    expect(plans.filter((plan) => plan.includes("events_chat_idx"))).not.toEqual([]);
    const scans = await explainStatements(work);
    // The chat's own events, and those of its creation.
    for (const { on, rows } of scans) if (on === "events") expect(rows).toBeLessThan(EVENTS / 100 + 10);
  }
});

test.each([
  ["a type", { types: "message.read" }],
  ["a line", { line_id: OLD_LINE }],
  ["a chat", {}],
  ["times", { from: "2026-01-01T01:00:00Z", to: "2026-01-01T04:00:00.500Z" }],
])("pages of %s are in the order of the log, without a gap or a repeat", async (_filter, query) => {
  const wanted = Object.keys(query).length === 0 ? { chat_id: chatId } : query;
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ ...wanted, limit: "200" }, cursor);
    seen.push(...page.events.map(({ seq }) => seq));
    cursor = page.next_cursor;
  } while (cursor !== null);

  const matching: Record<string, string> = {
    types: "type = 'message.read'",
    line_id: `line_id = '${OLD_LINE}'`,
    chat_id: `chat_id = '${chatId}'`,
    from: "created_at >= '2026-01-01T01:00:00Z' and created_at < '2026-01-01T04:00:00.500Z'",
  };
  const rows = await sql.runText<{ seq: number }>({
    text: `select seq::int from events where account_id = $1 and ${matching[Object.keys(wanted)[0] ?? ""]} order by seq desc`,
    values: [account.ref.id],
  });
  expect(seen).toEqual(rows.map(({ seq }) => seq));
});

test("pages of events with failed deliveries read as many deliveries and events as they show", async () => {
  await addDeliveries();
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search({ status: "failed", limit: "200" }, cursor);
    seen.push(...page.events.map(({ seq }) => String(seq)));
    cursor = page.next_cursor;
  } while (cursor !== null);
  const rows = await sql.runText<{ event_seq: string }>({
    text: `select distinct event_seq from webhook_deliveries where account_id = $1 and status = 'failed'
           order by event_seq desc`,
    values: [account.ref.id],
  });
  expect(rows.length).toBeGreaterThan(2500);
  expect(seen).toEqual(rows.map(({ event_seq }) => event_seq));

  const searches: [Record<string, string>, object | null][] = [
    [{ status: "failed" }, { count: 1000, is_capped: true }],
    [{ status: "failed", types: "message.sent,message.read" }, null],
  ];
  for (const [query, counted] of searches) {
    const { next_cursor, total } = await search({ ...query, limit: "10" });
    expect(total).toEqual(counted);
    const scans = await explainStatements(() => search({ ...query, limit: "10" }, next_cursor));
    // Each event has two deliveries, and one more event than the page shows tells whether there is a further page.
    for (const { on, rows: read } of scans) {
      if (on === "events") expect(read).toBeLessThanOrEqual(11);
      if (on === "webhook_deliveries") expect(read).toBeLessThanOrEqual(23);
    }
  }
});

/** Two deliveries for each event. Those of every tenth event failed. */
async function addDeliveries(): Promise<void> {
  await sql.runText({
    text: `with subscription as (
             insert into webhook_subscriptions
               (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
             select $1, gen_random_uuid(), 'https://example.com/' || n, '{message.sent}', '{}', '2026-02-03', '', now(), now()
             from generate_series(1, 2) n returning id
           )
           insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at)
           select $1, gen_random_uuid(), s.id, e.seq,
             case when e.number % 10 = 0 then 'failed' else 'delivered' end::webhook_delivery_status, e.created_at
           from subscription s,
             (select *, row_number() over (order by seq) as number from events where account_id = $1 and not internal) e`,
    values: [account.ref.id],
  });
  await sql.runText({ text: "analyze webhook_deliveries" });
}
