import "server-only";
import { removeMessages } from "@/lib/messaging/search/store/remove-messages";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** Rows of one transaction: some ten milliseconds. */
const BATCH = 1000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

// An account that was begun goes on, so that its words do not wait for a turn of all accounts; then comes the one that waited
// longest. Another process sweeps what is locked.
const NEXT_SEARCH_TO_SWEEP = statement(
  "next-search-to-sweep",
  `select account_id, swept_to from message_search_progress
  where swept_to is not null or swept_at is null or swept_at < statement_timestamp() - interval '1 day'
  order by swept_to is null, swept_at nulls first limit 1 for update skip locked`,
);

const SEARCH_ROWS_TO_SWEEP = statement(
  "search-rows-to-sweep",
  `select s.message_id, m.is_kept is null as "is_gone!" from (
    select message_id from message_search where account_id = :accountId and message_id > :after::uuid
    order by message_id limit ${BATCH}
  ) s
  left join lateral (
    select true as is_kept from messages m
    where m.account_id = :accountId and m.id = s.message_id and m.deleted_at is null offset 0
  ) m on true
  order by s.message_id`,
);

const STORE_SWEPT = statement(
  "store-swept-search",
  `update message_search_progress set swept_to = :sweptTo::uuid, swept_at = statement_timestamp()
  where account_id = :accountId`,
);

/**
 * Removes from the search what an erasure of an earlier release left there: the rows of messages that are deleted or
 * missing, among the next rows of one account. Each account is looked through from its first row to its last, and again a
 * day later. Returns false if no account is due.
 */
export async function sweepSearch(): Promise<boolean> {
  return transaction(async (tx) => {
    const [next] = await tx.run(NEXT_SEARCH_TO_SWEEP);
    if (next === undefined) return false;
    const { account_id: accountId, swept_to: sweptTo } = next;
    const rows = await tx.run(SEARCH_ROWS_TO_SWEEP, { accountId, after: sweptTo ?? FIRST_ID });
    const gone = rows.filter(({ is_gone }) => is_gone).map(({ message_id }) => message_id);
    if (gone.length > 0) await removeMessages(tx, accountId, gone);
    const last = rows.length < BATCH ? null : (rows.at(-1)?.message_id ?? null);
    await tx.run(STORE_SWEPT, { accountId, sweptTo: last });
    return true;
  });
}
