import "@/lib/testing/use-test-database";
import { expect, test } from "vitest";
import { getOverview } from "@/lib/identity/accounts/get-overview";
import { sql } from "@/lib/platform/db";
import { newId, newTraceId } from "@/lib/platform/ids";
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
  await deliverWebhook(account.ref.id, newId(Date.now()));
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
  await sql.query({
    text: "update messages set delivery_status = 'delivered', delivered_at = now() where id = $1",
    values: [messageId],
  });
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
function idAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-8000-${newId(Date.now()).slice(-12)}`;
}

async function deliverWebhook(accountId: string, chatId: string): Promise<void> {
  const subscription = newId(Date.now());
  await sql.query({
    text: `insert into webhook_subscriptions
             (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
           values ($1, $2, $3, '{message.sent}', '{}', '2026-02-03', '', now(), now())`,
    values: [accountId, subscription, `https://example.com/${subscription}`],
  });
  await sql.query({
    text: `with e as (
             insert into events (account_id, id, type, chat_id, trace_id, data, created_at)
             values ($1, $2, 'message.sent', $3, $4, '{}', now()) returning seq
           )
           insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at)
           select $1, gen_random_uuid(), $5, seq, 'delivered', now() from e`,
    values: [accountId, newId(Date.now()), chatId, newTraceId(), subscription],
  });
}

test("the figures of today read the events of a moment, not the whole log of the account", async () => {
  const account = await createTestAccount({ type: "production" });
  await sql.query({
    text: `insert into events (account_id, id, type, trace_id, data, created_at)
           select $1, gen_random_uuid(), 'message.sent', 't', '{}', now() - (5000 - n) * interval '1 hour'
           from generate_series(1, 5000) n`,
    values: [account.ref.id],
  });
  await sql.query({ text: "analyze events" });

  const scans = await explainStatements(() => getOverview(account.context()));

  const ofEvents = scans.filter(({ on }) => on.startsWith("events"));
  expect(ofEvents).not.toEqual([]);
  expect(Math.max(...ofEvents.map(({ rows }) => rows))).toBeLessThan(50);
});
