import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

/** How far an account's messages are in the search, and whether its search is on. */
export type SearchProgress = RowOf<"lock-search-progress">;

const BEGIN_SEARCH_PROGRESS = statement(
  "begin-search-progress",
  "insert into message_search_progress (account_id) values (:accountId) on conflict do nothing",
);

/** Makes sure that the account has a row, which can be locked. */
export async function beginSearchProgress(tx: Sql, accountId: string): Promise<void> {
  await tx.run(BEGIN_SEARCH_PROGRESS, { accountId });
}

const LOCK_SEARCH_PROGRESS = statement(
  "lock-search-progress",
  `select p.events_to, p.messages_from, a.message_search as is_on
  from message_search_progress p join accounts a on a.id = p.account_id
  where p.account_id = :accountId for update of p`,
);

/** Locks the account's progress until the end of the transaction. */
export async function lockSearchProgress(tx: Sql, accountId: string): Promise<SearchProgress> {
  await beginSearchProgress(tx, accountId);
  const [progress] = await tx.run(LOCK_SEARCH_PROGRESS, { accountId });
  if (progress === undefined) throw new Error(`there is no account ${accountId}`);
  return progress;
}

const STORE_SEARCH_PROGRESS = statement(
  "store-search-progress",
  `update message_search_progress set events_to = :eventsTo::bigint, messages_from = :messagesFrom::uuid
  where account_id = :accountId`,
);

/** Stores how far the messages are: see `message_search_progress` in prisma/schema.prisma. */
export async function storeSearchProgress(
  tx: Sql,
  accountId: string,
  progress: { eventsTo: number | null; messagesFrom: string | null },
): Promise<void> {
  await tx.run(STORE_SEARCH_PROGRESS, { accountId, ...progress });
}
