import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { countActivity } from "@/lib/events/activity/count-activity";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { GetHome, getHome, HomeQuery } from "@/lib/runtime/dashboard/get-home";
import { GetHomeLines, getHomeLines } from "@/lib/runtime/dashboard/get-home-lines";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/database/explain-statements";

const HOUR_MS = 3_600_000;
const query = HomeQuery.parse({});

const NOTHING = {
  sent: 0,
  received: 0,
  delivered: 0,
  failed: 0,
  failed_after_sent: 0,
  delivery_p50_ms: null,
  delivery_p95_ms: null,
  opted_out: 0,
  payments_succeeded: 0,
  payments_declined: 0,
};

test("an account that has only a token has done the first step, and nothing needs attention", async () => {
  const account = await createTestAccount({ type: "production" });
  const home = await getHome(account.context(), { query });
  expect(GetHome.returns.parse(home)).toEqual(home);
  expect(home.steps).toEqual({
    token_generated: true,
    message_sent: false,
    phone_answered: false,
    webhook_subscribed: false,
    webhook_delivered: false,
  });
  expect(home.attention).toEqual([]);
  expect(home.total).toEqual(NOTHING);
  expect(home.periods).toHaveLength(24);
});

test("each step turns green when it has happened", async () => {
  const account = await createTestAccount({ type: "production" });
  const { chatId, messageId } = await account.sendFirst("+14155550101");
  expect((await getHome(account.context(), { query })).steps).toMatchObject({
    message_sent: true,
    phone_answered: false,
  });

  await copyMessage(messageId, { fromMe: false });
  await deliverWebhook(account.ref.id, chatId);
  expect((await getHome(account.context(), { query })).steps).toEqual({
    token_generated: true,
    message_sent: true,
    phone_answered: true,
    webhook_subscribed: true,
    webhook_delivered: true,
  });
});

test("the range before ends at the same moment of it", async () => {
  const account = await createTestAccount({ type: "production" });
  await addEvents(account, "message.sent", 3);
  await countActivity(new AbortController().signal);
  const sentAt = async (hours: number) => {
    const ctx = { ...account.context(), now: new Date(Date.now() + hours * HOUR_MS) };
    const { total, before } = await getHome(ctx, { query });
    return [total.sent, before?.sent];
  };
  expect(await sentAt(22)).toEqual([3, 0]);
  expect(await sentAt(26)).toEqual([0, 3]);
  expect(await sentAt(49)).toEqual([0, 0]);
});

test("the totals are the sums of the periods, and a time zone must be a name", async () => {
  const account = await createTestAccount({ type: "production" });
  await addEvents(account, "message.sent", 4);
  await addEvents(account, "payment.succeeded", 2);
  const home = await getHome(account.context(), {
    query: HomeQuery.parse({ range: "7d", zone: "Asia/Tokyo" }),
  });
  expect(home.total).toEqual({ ...NOTHING, sent: 4, payments_succeeded: 2 });
  expect(home.periods).toHaveLength(28);
  expect(home.periods.reduce((sum, { sent }) => sum + sent, 0)).toBe(4);
  for (const zone of ["+01:00", "Nowhere/Town", "UTC'", ""]) {
    expect(HomeQuery.safeParse({ zone }).success).toBe(false);
  }
});

test("the figures of a line are its own, those of the table agree, and other lines are refused", async () => {
  const account = await createTestAccount({ type: "production" });
  const { messageId } = await account.sendFirst("+14155550101");
  await sql.runText({
    text: `insert into events (account_id, id, type, line_id, trace_id, data, created_at)
           select account_id, gen_random_uuid(), 'message.failed', line_id, '', '{}', $2
           from messages, generate_series(1, 6) where id = $1`,
    values: [messageId, new Date()],
  });
  await addEvents(account, "message.failed", 4);
  await addEvents(account, "payment.succeeded", 2);
  const ctx = account.context();
  const compared = await getHomeLines(ctx, { query: HomeQuery.parse({ range: "7d", zone: "Asia/Tokyo" }) });
  expect(GetHomeLines.returns.parse(compared)).toEqual(compared);
  expect(compared.is_complete).toBe(true);
  const [line, ...others] = compared.lines;
  expect(others).toEqual([]);
  expect(line).toMatchObject({ phone_number: account.line, is_released: false, total: { failed: 6 } });

  const asked = { range: "7d", zone: "Asia/Tokyo", line_id: line?.id };
  const home = await getHome(ctx, { query: HomeQuery.parse(asked) });
  expect(GetHome.returns.parse(home)).toEqual(home);
  expect(home.total).toEqual({ ...line?.total, payments_succeeded: null, payments_declined: null });
  expect(home.periods.reduce((sum, { failed }) => sum + failed, 0)).toBe(6);
  // The problems are those of the account.
  expect(home.attention.map(({ type }) => type)).toEqual(["failed-messages"]);

  await sql.runText({ text: "update lines set released_at = now() where id = $1", values: [line?.id] });
  expect((await getHomeLines(ctx, { query })).lines).toMatchObject([{ is_released: true }]);
  const stranger = (await createTestAccount({ type: "production" })).context();
  expect((await getHomeLines(stranger, { query })).lines).toMatchObject([{ total: { failed: 0 } }]);
  await expect(getHome(stranger, { query: HomeQuery.parse(asked) })).rejects.toMatchObject({
    errorName: "access_denied",
  });
  const unknown = HomeQuery.parse({ line_id: newId(0) });
  await expect(getHome(ctx, { query: unknown })).rejects.toMatchObject({ errorName: "line_not_found" });
});

test("Home lists each problem with the page to fix it, critical ones first", async () => {
  const account = await createTestAccount({ type: "production" });
  const subscription = await addEndpoint(account.ref.id);
  await sql.runText({
    text: "update webhook_subscriptions set warned_percent = 50, failing_since = now() where id = $1",
    values: [subscription],
  });
  const gone = await addEndpoint(account.ref.id);
  await sql.runText({
    text: "update webhook_subscriptions set is_active = false, disabled_at = now(), disabled_reason = 'gone' where id = $1",
    values: [gone],
  });
  await sql.runText({
    text: "update lines set reputation = 'AT_RISK' where account_id = $1",
    values: [account.ref.id],
  });
  await sql.runText({
    text: "update api_tokens set expires_at = $2 where account_id = $1",
    values: [account.ref.id, new Date(Date.now() + 30 * HOUR_MS)],
  });
  await addEvents(account, "message.sent", 20);
  await addEvents(account, "message.failed", 5);
  await addEvents(account, "payment.declined", 3);
  for (let made = 0; made < 5; made++) {
    const id = newId(Date.now());
    const handle = `+1415555020${made}`;
    await sql.runText({
      text: "insert into opt_outs (account_id, id, handle, cause, started_at) values ($1, $2, $3, 'person', now())",
      values: [account.ref.id, id, handle],
    });
    await sql.runText({
      text: `insert into opt_out_hints (account_id, id, handle, chat_id, message_id, word, created_at)
             values ($1, $2, $3, $2, $2, 'stop', now())`,
      values: [account.ref.id, id, handle],
    });
  }

  const { attention } = await getHome(account.context(), { query });
  expect(
    attention.map(({ id, severity, href }) => [id.replace(/-[\da-f-]{36}$/, ""), severity, href]),
  ).toEqual([
    ["endpoint", "critical", `/webhooks/${gone}`],
    ["endpoint", "warning", `/webhooks/${subscription}`],
    ["line", "warning", expect.stringMatching(/^\/lines\//)],
    ["near-misses", "warning", "/opt-outs/near-misses"],
    ["opt-out-spike", "warning", "/opt-outs"],
    ["failed-messages", "warning", "/events?types=message.failed"],
    ["declined-payments", "warning", "/agent-payments"],
    ["token", "warning", "/tokens"],
  ]);
  expect(attention.find(({ id }) => id === "failed-messages")?.title).toMatch(/^20% of messages/);

  expect(attention.find(({ type }) => type === "token")?.at).toMatch(/^\d{4}-.*Z$/);

  const viewer: Context = {
    ...account.context(),
    actor: { type: "user", userId: newId(0), role: "viewer", name: "Vera", email: "vera@example.com" },
  };
  const seen = (await getHome(viewer, { query })).attention.map(({ href }) => href);
  expect(seen).toContain("/opt-outs");
  expect(seen).not.toContain("/tokens");
});

test("no more than 100% of messages have failed, also when most of them were sent the day before", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: `insert into account_hours (account_id, hour, metric, latency_step, count)
           values ($1, $2, 'message.sent', 0, 2), ($1, $2, 'message.failed', 1, 10)`,
    values: [account.ref.id, new Date(Date.now() - HOUR_MS)],
  });
  const { attention } = await getHome(account.context(), { query });
  expect(attention.map(({ title }) => title)).toEqual(["100% of messages failed in the last 24 hours"]);
});

test("a line is compared with the range before only if that was counted by line from its start", async () => {
  const account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "select id from lines where account_id = $1",
    values: [account.ref.id],
  });
  const countAt = (hours: number) =>
    sql.runText({
      text: `with counted as (
               insert into account_hours (account_id, hour, metric, count)
               values ($1, date_bin('15 minutes', $3::timestamptz, '2000-01-01'), 'message.sent', 5)
               returning account_id, hour, metric, count)
             insert into line_activity (account_id, line_id, minutes, at, metric, count)
             select account_id, $2, 15, hour, metric, count from counted`,
      values: [account.ref.id, line?.id, new Date(Date.now() - hours * HOUR_MS)],
    });
  const read = async () => {
    const compared = await getHomeLines(account.context(), { query });
    const home = await getHome(account.context(), { query: { ...query, line_id: line?.id } });
    expect(GetHome.returns.parse(home)).toEqual(home);
    expect(home.is_complete).toBe(compared.is_complete);
    const { total, before } = compared.lines[0] ?? {};
    return [home.is_complete, total?.sent, before?.sent, home.before?.sent];
  };
  await countAt(1);
  await countAt(30);
  expect(await read()).toEqual([true, 5, undefined, undefined]);
  await countAt(60);
  expect(await read()).toEqual([true, 5, 5, 5]);

  // The release before counts an event for the account only.
  await addEvents(account, "message.received", 1);
  await sql.runText({
    text: "update accounts set activity_to = (select max(seq) + 1 from events where account_id = $1) where id = $1",
    values: [account.ref.id],
  });
  expect(await read()).toEqual([false, 5, undefined, undefined]);
  const { is_complete, before } = await getHome(account.context(), { query });
  expect([is_complete, before?.sent]).toEqual([true, 5]);
});

test("opt-outs at the usual rate are no spike", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.runText({
    text: `insert into account_hours (account_id, hour, metric, count)
           select $1, date_trunc('hour', $2::timestamptz) - n * interval '1 day', 'opt_out', 4 from generate_series(1, 7) n`,
    values: [account.ref.id, new Date(Date.now() - HOUR_MS)],
  });
  await sql.runText({
    text: `insert into account_hours (account_id, hour, metric, count)
           values ($1, date_trunc('hour', $2::timestamptz), 'opt_out', 8)`,
    values: [account.ref.id, new Date(Date.now() - HOUR_MS)],
  });
  const { attention, total } = await getHome(account.context(), { query });
  expect(total.opted_out).toBe(8);
  expect(attention).toEqual([]);
});

test("the figures of a day with 20,000 messages are read from counters", async () => {
  const account = await createTestAccount({ type: "production" });
  await addEvents(account, "message.sent", 20_000);
  setClock({ offsetMs: HOUR_MS, frozenAt: null });
  await countActivity(new AbortController().signal);

  const scans = await explainStatements(async () => {
    expect((await getHome(account.context(), { query })).total.sent).toBe(20_000);
  });
  setClock(null);
  const read = scans
    .filter(({ on }) => /^(events|messages)/.test(on))
    .reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeLessThan(5000);
});

function addEvents(account: TestAccount, type: string, count: number): Promise<unknown> {
  return sql.runText({
    text: `insert into events (account_id, id, type, trace_id, data, created_at)
           select $1, gen_random_uuid(), $2, '', '{}', $4 from generate_series(1, $3::int)`,
    values: [account.ref.id, type, count, new Date()],
  });
}

async function copyMessage(messageId: string, { fromMe }: { fromMe: boolean }): Promise<void> {
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status,
             trace_id, created_at, updated_at)
           select account_id, $2, chat_id, line_id, sender_id, $3, parts, 'received', trace_id, now(), now()
           from messages where id = $1`,
    values: [messageId, newId(Date.now()), fromMe],
  });
}

async function addEndpoint(accountId: string): Promise<string> {
  const id = newId(Date.now());
  await sql.runText({
    text: `insert into webhook_subscriptions
             (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
           values ($1, $2, $3, '{message.sent}', '{}', '2026-02-03', '', now(), now())`,
    values: [accountId, id, `https://example.com/${id}`],
  });
  return id;
}

async function deliverWebhook(accountId: string, chatId: string): Promise<void> {
  const subscription = await addEndpoint(accountId);
  const [event] = await sql.runText<{ seq: string }>({
    text: `insert into events (account_id, id, type, chat_id, trace_id, data, created_at)
           values ($1, $2, 'message.sent', $3, $4, '{}', now()) returning seq`,
    values: [accountId, newId(Date.now()), chatId, newTraceId()],
  });
  await sql.runText({
    text: `insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at)
           values ($1, gen_random_uuid(), $2, $3, 'delivered', now())`,
    values: [accountId, subscription, event?.seq],
  });
}
