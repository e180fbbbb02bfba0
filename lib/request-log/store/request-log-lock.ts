import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";

const KEY = "hashtextextended('request log of ' || account_id, 0)";

const JOIN_REQUEST_LOG = statement(
  "join-request-log",
  `select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock_shared(${KEY})
  from (select distinct account_id from unnest(:accountIds::uuid[]) as a(account_id)) a`,
);

/**
 * Allows this transaction to write log rows of these accounts, concurrently with other writers. Jobs that empty bodies
 * and these writers exclude each other, so no content is stored after its deletion. A crash may lose the newest
 * entries, which is acceptable for a log.
 */
export async function lockRequestLog(tx: Sql, accountIds: readonly string[]): Promise<void> {
  await tx.run(JOIN_REQUEST_LOG, { accountIds });
}

const CLOSE_REQUEST_LOG = plannedStatement(
  "close-request-log",
  `select pg_advisory_xact_lock(${KEY}) from (select :accountId::uuid as account_id) a`,
);

/** Waits for the writers of the account's log and blocks new ones until this transaction ends. */
export async function closeRequestLog(tx: Sql, accountId: string): Promise<void> {
  await tx.run(CLOSE_REQUEST_LOG, { accountId });
}
