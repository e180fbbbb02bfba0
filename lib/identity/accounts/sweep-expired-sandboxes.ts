import "server-only";
import { emitAccountEvent, systemChange } from "@/lib/events/store/emit-account-event";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { findAccountIds } from "@/lib/identity/accounts/find-account-ids";
import { warnExpiredSandboxes } from "@/lib/identity/accounts/warn-expired-sandboxes";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const BATCH_ROWS = 2000;
const DAY_MS = 86_400_000;
const UNDEFINED_TABLE = "42P01";

/** Audit entries outlive the account. Tokens are deleted and counted together with the account's row. */
const KEPT: readonly string[] = ["audit_entries", "api_tokens"];

type Expired = RowOf<"find-expired-sandboxes">;

/** SQL: the account expired before `$before`, or is disposable and its time is over. */
const isDue = (a: string, before: string) =>
  `${a}.type = 'sandbox' and (${a}.expires_at < ${before} or ${a}.disposable_until < statement_timestamp())`;

const FIND_EXPIRED_SANDBOXES = plannedStatement(
  "find-expired-sandboxes",
  `select id, partner_id, name, disposable_until is not null as is_disposable from accounts a
  where ${isDue("a", ":before::timestamptz")} order by expires_at, id`,
);

/**
 * Deletes sandbox accounts that expired EXPIRED_SANDBOX_DAYS ago. Until then only their tokens are rejected: users see
 * the date of deletion, and an operator may extend the account (docs/contract.md, section 2.2). All rows of the account
 * except its audit entries are deleted in short statements. The partner's other environments are notified with
 * environment.deleted, and the next sweep of orphans deletes the stored files. Production accounts are never deleted
 * automatically. Disposable accounts of the simulator are deleted at their time, with their partner. Returns the number
 * of accounts deleted.
 */
export async function sweepExpiredSandboxes(stop: AbortSignal): Promise<number> {
  const days = env().EXPIRED_SANDBOX_DAYS;
  const at = now();
  if (days > 0) await warnExpiredSandboxes(at, days);
  const before = days === 0 ? null : new Date(at.getTime() - days * DAY_MS);
  const expired = await sql.run(FIND_EXPIRED_SANDBOXES, { before });
  let swept = 0;
  for (const account of expired) {
    const emptied = await emptyAccount(account.id, before, stop);
    if (!emptied) break;
    if (await deleteAccount(account, before)) swept++;
  }
  return swept;
}

/** Returns false when the sweep was stopped before everything was deleted. */
async function emptyAccount(accountId: string, before: Date | null, stop: AbortSignal): Promise<boolean> {
  for (const table of await findTables()) {
    for (let deletedCount = BATCH_ROWS; deletedCount === BATCH_ROWS; ) {
      if (stop.aborted) return false;
      // Checked in each step, so that an account that is extended meanwhile keeps its remaining rows.
      const deleting = sql.runText({
        text: `delete from ${table} where ctid = any(array(
                 select t.ctid from ${table} t join accounts a on a.id = t.account_id
                 where t.account_id = $1 and ${isDue("a", "$2::timestamptz")} limit ${BATCH_ROWS}))
               returning 1`,
        values: [accountId, before],
      });
      deletedCount = (await deleting.catch(noneIfDropped)).length;
    }
  }
  return true;
}

/** Retention may drop a partition after the tables were listed. */
function noneIfDropped(error: unknown): never[] {
  if (hasSqlState(error, UNDEFINED_TABLE)) return [];
  throw error;
}

const FIND_ACCOUNT_TABLES = plannedStatement(
  "find-account-tables",
  `select quote_ident(c.relname) as "name!"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all(:kept::text[])
  order by (select count(*) from pg_constraint k where k.contype = 'f' and k.confrelid = c.oid), c.relname`,
);

/**
 * All tables with rows of accounts, and partitions instead of their table: a ctid is unique in a partition. Referenced
 * tables come last, so that deleting a row cascades to few others.
 */
async function findTables(): Promise<string[]> {
  const rows = await sql.run(FIND_ACCOUNT_TABLES, { kept: KEPT });
  return rows.map(({ name }) => name);
}

const FIND_LIVE_TOKENS = plannedStatement(
  "find-live-tokens",
  "select from api_tokens where account_id = :id and revoked_at is null",
);

const DELETE_EXPIRED_SANDBOX = plannedStatement(
  "delete-expired-sandbox",
  `delete from accounts a where id = :id and ${isDue("a", ":before::timestamptz")} returning id`,
);

async function deleteAccount(account: Expired, before: Date | null): Promise<boolean> {
  const { id, partner_id: partnerId, name } = account;
  const at = now();
  const isGone = await transaction(async (tx) => {
    const tokens = await tx.run(FIND_LIVE_TOKENS, { id });
    const rows = await tx.run(DELETE_EXPIRED_SANDBOX, { id, before });
    if (rows.length === 0) return false;

    await recordSystemAudit(tx, { partnerId, accountId: id, at }, "account.deleted", "account", id, {
      name,
      reason: "expired",
    });
    const change = systemChange(await findAccountIds(tx, partnerId), at);
    await emitAccountEvent(tx, change, ENVIRONMENT_EVENTS["environment.deleted"], {
      environment: { name, type: "environment" },
      tokens_revoked: tokens.length,
      lines_moved_to_production: 0,
    });
    if (account.is_disposable) await deleteEmptyPartner(tx, partnerId);
    return true;
  });
  if (isGone) log.info({ account: id, name }, "an expired sandbox account was deleted");
  return isGone;
}

const DELETE_EMPTY_PARTNER = plannedStatement(
  "delete-empty-partner",
  `delete from partners p where id = :partnerId
  and not exists (select from accounts a where a.partner_id = p.id)
  and not exists (select from memberships m where m.partner_id = p.id)`,
);

async function deleteEmptyPartner(tx: Sql, partnerId: string): Promise<void> {
  await tx.run(DELETE_EMPTY_PARTNER, { partnerId });
}
