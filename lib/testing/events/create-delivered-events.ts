import { sql } from "@/lib/platform/database/db";
import type { TestAccount } from "@/lib/testing/create-test-account";

/** SQL: the id of the message of the n-th event. */
const MESSAGE = "(lpad(to_hex(1790000000000 + n * 50), 12, '0') || '70008000000000000000')::uuid";

/**
 * Creates a subscription and `count` events, one per message, that were delivered to it. Returns the ids of the
 * subscription and of the messages, oldest first.
 */
export async function createDeliveredEvents(
  { ref: { id: accountId } }: TestAccount,
  count: number,
): Promise<{ subscriptionId: string; messageIds: string[] }> {
  const messages = await sql.runText<{ id: string }>({
    text: `insert into events (account_id, id, type, message_id, trace_id, data, created_at)
           select $1, gen_random_uuid(), 'message.sent', ${MESSAGE}, 'trace', '{}', now() from generate_series(1, $2::int) n
           returning message_id as id`,
    values: [accountId, count],
  });
  const [subscription] = await sql.runText<{ id: string }>({
    text: `with subscription as (
             insert into webhook_subscriptions
               (account_id, id, target_url, subscribed_events, phone_numbers, version, signing_secret, created_at, updated_at)
             values ($1, gen_random_uuid(), 'https://example.com/', '{message.sent}', '{}', '2026-02-03', '', now(), now())
             returning id
           ), delivery as (
             insert into webhook_deliveries (account_id, id, subscription_id, event_seq, status, created_at, ended_at)
             select $1, gen_random_uuid(), s.id, e.seq, 'delivered', now(), now()
             from subscription s, events e where e.account_id = $1 and e.trace_id = 'trace'
           )
           select id from subscription`,
    values: [accountId],
  });
  return { subscriptionId: subscription?.id ?? "", messageIds: messages.map(({ id }) => id) };
}
