import "server-only";
import type pg from "pg";

/** More than any chat of a subscription got between a backup and the loss of the instance. */
const SEQUENCE_GAP = 1_000_000;
/** The numbers of the smallest partition of events. */
const LEAST_EVENT_GAP = 2 ** 22;

/**
 * Moves the counters of a restored database beyond every number that the lost instance can have given out after the
 * backup: the event numbers, which are the ids of event streams, and the `sequence` of webhooks. A client that received
 * those numbers would otherwise take new events for old ones. The next event gets the first number after all partitions,
 * because a partition has room for several times the events of its period.
 */
export async function moveCountersForward(client: pg.Client): Promise<void> {
  await client.query("begin");
  await client.query(
    `select setval('events_seq_seq', greatest(
       (select last_value from events_seq_seq) + $1,
       (select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(\\d+)')::bigint)
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass)))`,
    [LEAST_EVENT_GAP],
  );
  await client.query("update webhook_sequences set last = last + $1", [SEQUENCE_GAP]);
  // The first number of a chat can have been given out after the backup, too. All zeros: events without a chat.
  await client.query(
    `insert into webhook_sequences (account_id, subscription_id, chat_id, last)
     select s.account_id, s.id, c.id, $1 from webhook_subscriptions s
     join (select account_id, id from chats
           union all select id, '00000000-0000-0000-0000-000000000000'::uuid from accounts) c(account_id, id)
       on c.account_id = s.account_id
     where s.deleted_at is null
     on conflict do nothing`,
    [SEQUENCE_GAP],
  );
  await client.query("commit");
}
