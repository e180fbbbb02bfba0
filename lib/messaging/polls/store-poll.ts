import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
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

const STORE_POLL = statement(
  "store-poll",
  `with poll as (
    insert into polls (account_id, message_id, idempotency_key, updated_at) values (:accountId, :messageId, :idempotencyKey, :whereAt)
    on conflict do nothing returning account_id, message_id
  )
  update messages m set kind = 'poll', parts = '[]' from poll
  where m.account_id = poll.account_id and m.id = poll.message_id returning m.id as message_id`,
);

/**
 * Makes a stored message a poll with its options. Returns false when another poll of the account has the idempotency
 * key.
 */
export async function storePoll(
  tx: Sql,
  where: StoredIn,
  poll: { options: readonly OptionIn[]; idempotencyKey: string | null },
): Promise<boolean> {
  const rows = await tx.run(STORE_POLL, {
    accountId: where.accountId,
    messageId: where.messageId,
    idempotencyKey: poll.idempotencyKey,
    whereAt: where.at,
  });
  if (rows.length === 0) return false;
  await storeOptions(tx, where, poll.options);
  return true;
}

const STORE_POLL_OPTIONS = statement(
  "store-poll-options",
  `with added as (
    insert into poll_options (account_id, message_id, id, ref, text, participant_id, created_at)
    select :accountId, :messageId, o.id, coalesce(o.ref, o.id::text), o.text, :participantId, :updatedAt
    from unnest(:ids::uuid[], :refs::text[], :texts::text[]) as o(id, ref, text)
    on conflict do nothing returning id
  ), touched as (
    update polls set updated_at = :updatedAt
    where account_id = :accountId and message_id = :messageId and exists (select 1 from added)
  )
  select id from added order by id`,
);

/** Appends options to a poll and returns the ids of the new ones. Options with a known ref are skipped. */
export async function storeOptions(
  tx: Sql,
  { accountId, messageId, participantId, at }: StoredIn,
  options: readonly OptionIn[],
): Promise<string[]> {
  const ids = options.map(() => newId(at.getTime(), accountId, "poll option", messageId));
  const rows = await tx.run(STORE_POLL_OPTIONS, {
    accountId,
    messageId,
    participantId,
    updatedAt: at,
    ids,
    refs: options.map(({ ref }) => ref),
    texts: options.map(({ text }) => text),
  });
  return rows.map(({ id }) => id);
}
