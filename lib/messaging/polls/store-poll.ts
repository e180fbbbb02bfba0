import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";

/** An option of a poll. `ref` is the vendor's id of an inbound option, and null for an outbound one. */
export interface OptionIn {
  ref: string | null;
  text: string;
}

interface StoredIn {
  accountId: string;
  messageId: string;
  /** The participant who adds the options. */
  participantId: string;
  at: Date;
}

/**
 * Makes a stored message a poll with its options. Returns false when another poll of the account has the idempotency
 * key.
 */
export async function storePoll(
  tx: Sql,
  where: StoredIn,
  poll: { options: readonly OptionIn[]; idempotencyKey: string | null },
): Promise<boolean> {
  const rows = await tx.query<{ message_id: string }>({
    name: "store-poll",
    text: `with poll as (
             insert into polls (account_id, message_id, idempotency_key, updated_at) values ($1, $2, $3, $4)
             on conflict do nothing returning account_id, message_id
           )
           update messages m set kind = 'poll', parts = '[]' from poll
           where m.account_id = poll.account_id and m.id = poll.message_id returning m.id as message_id`,
    values: [where.accountId, where.messageId, poll.idempotencyKey, where.at],
  });
  if (rows.length === 0) return false;
  await storeOptions(tx, where, poll.options);
  return true;
}

/** Appends options to a poll and returns the ids of the new ones. Options with a known ref are skipped. */
export async function storeOptions(
  tx: Sql,
  { accountId, messageId, participantId, at }: StoredIn,
  options: readonly OptionIn[],
): Promise<string[]> {
  const ids = options.map(() => newId(at.getTime(), accountId, "poll option", messageId));
  const rows = await tx.query<{ id: string }>({
    name: "store-poll-options",
    text: `with added as (
             insert into poll_options (account_id, message_id, id, ref, text, participant_id, created_at)
             select $1, $2, o.id, coalesce(o.ref, o.id::text), o.text, $3, $4
             from unnest($5::uuid[], $6::text[], $7::text[]) as o(id, ref, text)
             on conflict do nothing returning id
           ), touched as (
             update polls set updated_at = $4
             where account_id = $1 and message_id = $2 and exists (select 1 from added)
           )
           select id from added order by id`,
    values: [
      accountId,
      messageId,
      participantId,
      at,
      ids,
      options.map(({ ref }) => ref),
      options.map(({ text }) => text),
    ],
  });
  return rows.map(({ id }) => id);
}
