import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { countVolumes } from "@/lib/lines/lines/count-volumes";
import { setClock } from "@/lib/platform/clock";
import { sql } from "@/lib/platform/db";
import { newId, newTraceId } from "@/lib/platform/ids";
import { getOverview } from "@/lib/runtime/dashboard/get-overview";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { explainStatements } from "@/lib/testing/explain-statements";

test("an account that has only a token has done the first step, and nothing today", async () => {
  const account = await createTestAccount({ type: "production" });

  expect(await getOverview(account.context())).toEqual({
    steps: {
      token_generated: true,
      message_sent: false,
      phone_answered: false,
      webhook_subscribed: false,
      webhook_delivered: false,
    },
    today: { sent: 0, received: 0, delivered: 0, failed: 0, webhooks_delivered: 0 },
  });
});

test("each step turns green when it has happened, and only what is today's is counted", async () => {
  const account = await createTestAccount({ type: "production" });
  await deliverWebhook(account.ref.id, newId(Date.now()), new Date(Date.now() - 2 * 86_400_000));
  await sql.query({
    text: "update events set created_at = created_at - interval '2 days' where account_id = $1",
    values: [account.ref.id],
  });
  const { chatId, messageId } = await account.sendFirst("+14155550101");
  await copyMessage(messageId, { at: new Date(Date.now() - 2 * 86_400_000), fromMe: true });
  expect((await getOverview(account.context())).steps).toMatchObject({
    message_sent: true,
    phone_answered: false,
  });

  await copyMessage(messageId, { at: new Date(), fromMe: false });
  await addEvent(account.ref.id, { chatId, type: "message.delivered" });
  await deliverWebhook(account.ref.id, chatId);

  expect(await getOverview(account.context())).toEqual({
    steps: {
      token_generated: true,
      message_sent: true,
      phone_answered: true,
      webhook_subscribed: true,
      webhook_delivered: true,
    },
    today: { sent: 1, received: 1, delivered: 1, failed: 0, webhooks_delivered: 1 },
  });
});

test("the figures of a day with 20,000 messages are counted from counters", async () => {
  const account = await createTestAccount({ type: "production" });
  const { messageId } = await account.sendFirst("+14155550101");
  await sql.query({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at)
           select m.account_id, t.id, m.chat_id, m.line_id, m.sender_id, true, '[]', 'sent', 'trace', t.at, t.at
           from messages m, unnest($2::uuid[], $3::timestamptz[]) as t(id, at) where m.id = $1`,
    values: [messageId, ...todaysIds(20_000)],
  });
  await sql.query({ text: "analyze messages" });
  setClock({ offsetMs: 3_600_000, frozenAt: null });
  await countVolumes(new AbortController().signal);
  setClock(null);

  const scans = await explainStatements(async () => {
    const { sent } = (await getOverview(account.context())).today;
    expect(sent).toBeGreaterThanOrEqual(1);
  });
  expect(scans.filter(({ on }) => on === "messages").reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(
    500,
  );
});

/** Ids of messages of the last second, and their times. */
function todaysIds(count: number): [string[], Date[]] {
  const times = Array.from({ length: count }, (_, made) => new Date(Date.now() - (made % 1000)));
  return [times.map((at, made) => idAt(at, made.toString(16).padStart(12, "0"))), times];
}

async function copyMessage(messageId: string, { at, fromMe }: { at: Date; fromMe: boolean }): Promise<void> {
  await sql.query({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status,
             trace_id, created_at, updated_at)
           select account_id, $2, chat_id, line_id, sender_id, $3, parts, 'received', trace_id, $4, $4
           from messages where id = $1`,
    values: [messageId, idAt(at), fromMe, at],
  });
}

// newId never goes back in time, so ids in the past are built here.
function idAt(at: Date, last = newId(Date.now()).slice(-12)): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-8000-${last}`;
}

/** A delivered event, and counts of one attempt per outcome in the hour of `at` and in the last hour of the day before. */
async function deliverWebhook(accountId: string, chatId: string, at = new Date()): Promise<void> {
  const subscription = newId(Date.now());
  await sql.query({
    text: `insert into webhook_subscriptions
             (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
           values ($1, $2, $3, '{message.sent}', '{}', '2026-02-03', '', now(), now())`,
    values: [accountId, subscription, `https://example.com/${subscription}`],
  });
  const seq = await addEvent(accountId, { chatId, type: "message.sent" });
  await sql.query({
    text: `insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at)
           values ($1, gen_random_uuid(), $2, $3, 'delivered', now())`,
    values: [accountId, subscription, seq],
  });
  await sql.query({
    text: `insert into webhook_attempt_counts
             (account_id, subscription_id, hour, outcome, latency_step, shard, count, first_at, last_at)
           select $1, $2, at.hour, outcome, 1, 1, 1, at.hour, at.hour
           from (values (date_trunc('hour', $3::timestamptz)), (date_trunc('day', $3::timestamptz, 'UTC') - interval '1 hour')) at(hour),
             (values ('204'), ('500'), ('timeout')) o(outcome)`,
    values: [accountId, subscription, at],
  });
}

async function addEvent(accountId: string, event: { chatId: string; type: string }): Promise<string> {
  const [row] = await sql.query<{ seq: string }>({
    text: `insert into events (account_id, id, type, chat_id, trace_id, data, created_at)
           values ($1, $2, $3, $4, $5, '{}', now()) returning seq`,
    values: [accountId, newId(Date.now()), event.type, event.chatId, newTraceId()],
  });
  return row?.seq ?? "";
}
