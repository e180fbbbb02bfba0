import "server-only";
import type { Sql } from "@/lib/platform/db";

const KEY = "hashtextextended('request log of ' || account_id, 0)";

/**
 * Lets rows of these accounts be written in this transaction, beside other writers. A job that empties bodies and
 * these writers wait for each other, so no content is stored after it was deleted. A crash may lose the newest entries,
 * which is acceptable for a log.
 */
export async function joinRequestLog(tx: Sql, accountIds: readonly string[]): Promise<void> {
  await tx.query({
    name: "join-request-log",
    text: `select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock_shared(${KEY})
           from (select distinct account_id from unnest($1::uuid[]) as a(account_id)) a`,
    values: [accountIds],
  });
}

/** Waits for the writers of the account's log and keeps others out until this transaction ends. */
export async function closeRequestLog(tx: Sql, accountId: string): Promise<void> {
  await tx.query({
    text: `select pg_advisory_xact_lock(${KEY}) from (select $1::uuid as account_id) a`,
    values: [accountId],
  });
}
