import "server-only";
import type { Sql } from "@/lib/platform/database/db";

const KEY = "hashtextextended('request log of ' || account_id, 0)";

/**
 * Allows this transaction to write log rows of these accounts, concurrently with other writers. Jobs that empty bodies
 * and these writers exclude each other, so no content is stored after its deletion. A crash may lose the newest
 * entries, which is acceptable for a log.
 */
export async function lockRequestLog(tx: Sql, accountIds: readonly string[]): Promise<void> {
  await tx.query({
    name: "join-request-log",
    text: `select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock_shared(${KEY})
           from (select distinct account_id from unnest($1::uuid[]) as a(account_id)) a`,
    values: [accountIds],
  });
}

/** Waits for the writers of the account's log and blocks new ones until this transaction ends. */
export async function closeRequestLog(tx: Sql, accountId: string): Promise<void> {
  await tx.query({
    text: `select pg_advisory_xact_lock(${KEY}) from (select $1::uuid as account_id) a`,
    values: [accountId],
  });
}
