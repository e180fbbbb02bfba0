import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { LINE_STATE, STATE_TABLES, type StateTable } from "@/lib/simulator/accounts/account-tables";

/** The limits of one snapshot. */
export const MAX_ROWS = 20_000;
export const MAX_BYTES = 16 * 1024 * 1024;

/** Columns of `accounts` that say how far the state was counted. */
const COUNTED_TO = ["volumes_to", "receipts_to", "failures_to"] as const;

const unionOf = (toSql: (table: StateTable) => string): string => STATE_TABLES.map(toSql).join(" union all ");

const MEASURE_ACCOUNT_STATE = plannedStatement(
  "measure-account-state",
  `select count(*)::int as rows, coalesce(sum(bytes), 0)::float8 as "bytes!" from (${unionOf(
    (table) =>
      `(select octet_length(row_to_json(t)::text) as bytes from ${table} t
        where account_id = :accountId limit ${MAX_ROWS + 1})`,
  )}) measured`,
);

type Size = RowOf<"measure-account-state">;

/** Measures the state of an account. Reads at most `MAX_ROWS` + 1 rows of each table. */
export async function measureState(tx: Sql, accountId: string): Promise<Size> {
  const [size] = await tx.run(MEASURE_ACCOUNT_STATE, { accountId });
  return size ?? { rows: 0, bytes: 0 };
}

const STORE_SNAPSHOT_ROWS = plannedStatement(
  "store-snapshot-rows",
  `insert into simulator_snapshot_tables (account_id, snapshot_id, table_name, rows)
  select :accountId, :snapshotId, name, rows from (
    ${unionOf(
      (table) =>
        `select '${table}' as name, json_agg(t) as rows from ${table} t where account_id = :accountId`,
    )}
    union all select 'lines', json_agg(t) from (
      select id, ${Object.keys(LINE_STATE).join(", ")} from lines where account_id = :accountId) t
    union all select 'accounts', json_agg(t) from (
      select ${COUNTED_TO.join(", ")} from accounts where id = :accountId) t
  ) copied
  where rows is not null`,
);

/**
 * Copies the rows of every state table into a snapshot, in one statement, so that all are of one moment. Secrets stay
 * sealed. Errors: state_conflict (too large).
 */
export async function storeRows(tx: Sql, accountId: string, snapshotId: string): Promise<void> {
  await tx.run(STORE_SNAPSHOT_ROWS, { accountId, snapshotId });
}

/** Checks that an account's state fits into a snapshot. Errors: state_conflict. */
export function requireFits({ rows, bytes }: Size): void {
  if (rows <= MAX_ROWS && bytes <= MAX_BYTES) return;
  const size = `${rows > MAX_ROWS ? `more than ${MAX_ROWS} rows` : `${Math.ceil(bytes / 1024 / 1024)} MB`}`;
  fail("state_conflict", `the account has ${size}: reset the account or use a new one`);
}

/** Stores the rows of a snapshot in its tables again, which must be empty. */
export async function restoreRows(tx: Sql, accountId: string, snapshotId: string): Promise<void> {
  const columns = await findColumns(tx, accountId, snapshotId);
  for (const table of STATE_TABLES) {
    const stored = columns.get(table);
    if (stored !== undefined) await insertRows(tx, { accountId, snapshotId, table, columns: stored });
  }
  await restoreLines(tx, accountId, snapshotId);
  await restoreAccount(tx, accountId, snapshotId);
  await tx.run(LEAVE_DELETED_TEAMS, { accountId });
}

// Teams are no part of a snapshot. A chat of a deleted one would be in no list of chats that wait.
const LEAVE_DELETED_TEAMS = plannedStatement(
  "leave-deleted-teams",
  `update chats c set team_id = null where c.account_id = :accountId and c.team_id is not null
    and not exists (select from teams t where t.account_id = c.account_id and t.id = c.team_id)`,
);

const FIND_SNAPSHOT_COLUMNS = plannedStatement(
  "find-snapshot-columns",
  `select s.table_name as name, array_agg(quote_ident(a.attname) order by a.attnum) as "columns!"
  from simulator_snapshot_tables s
    join pg_class c on c.relname = s.table_name and c.relnamespace = current_schema()::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where s.account_id = :accountId and s.snapshot_id = :snapshotId
    and exists (select from json_object_keys(s.rows -> 0) key where key = a.attname)
  group by s.table_name`,
);

/** The columns of each table that the snapshot has. A column that was added later takes its default. */
async function findColumns(
  tx: Sql,
  accountId: string,
  snapshotId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.run(FIND_SNAPSHOT_COLUMNS, { accountId, snapshotId });
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

interface StoredTable {
  accountId: string;
  snapshotId: string;
  table: StateTable;
  columns: readonly string[];
}

async function insertRows(tx: Sql, { accountId, snapshotId, table, columns }: StoredTable): Promise<void> {
  const names = columns.join(", ");
  await tx.runText({
    text: `insert into ${table} (${names})
           select ${columns.map((column) => `t.${column}`).join(", ")}
           from simulator_snapshot_tables s cross join lateral json_populate_recordset(null::${table}, s.rows) t
           where s.account_id = $1 and s.snapshot_id = $2 and s.table_name = $3`,
    values: [accountId, snapshotId, table],
  });
}

const assignments = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = t.${column}`).join(", ");

const RESTORE_LINES = plannedStatement(
  "restore-lines",
  `update lines l set ${assignments(Object.keys(LINE_STATE))}
  from simulator_snapshot_tables s cross join lateral json_populate_recordset(null::lines, s.rows) t
  where s.account_id = :accountId and s.snapshot_id = :snapshotId and s.table_name = 'lines'
    and l.account_id = :accountId and l.id = t.id and l.released_at is null`,
);

async function restoreLines(tx: Sql, accountId: string, snapshotId: string): Promise<void> {
  await tx.run(RESTORE_LINES, { accountId, snapshotId });
}

const RESTORE_ACCOUNT = plannedStatement(
  "restore-account",
  `update accounts a set erased_to = null, ${assignments(COUNTED_TO)}
  from simulator_snapshot_tables s cross join lateral json_populate_recordset(null::accounts, s.rows) t
  where s.account_id = :accountId and s.snapshot_id = :snapshotId and s.table_name = 'accounts'
    and a.id = :accountId`,
);

// Restored content may be older than the last erasure, so the next one starts again.
async function restoreAccount(tx: Sql, accountId: string, snapshotId: string): Promise<void> {
  await tx.run(RESTORE_ACCOUNT, { accountId, snapshotId });
}

const SKIP_PENDING_DELIVERIES = plannedStatement(
  "skip-pending-deliveries",
  `update webhook_deliveries set status = 'skipped', run_at = null, lease_until = null, ended_at = :endedAt
  where account_id = :accountId and status = 'waiting'`,
);

const EMPTY_CHAT_QUEUES = plannedStatement(
  "empty-chat-queues",
  "update webhook_sequences set turn = null where account_id = :accountId and turn is not null",
);

const DELETE_UNFINISHED_REPLAYS = plannedStatement(
  "delete-unfinished-replays",
  "delete from webhook_replays where account_id = :accountId and run_at is not null",
);

/** Ends the deliveries that were pending, because their sequence numbers may be lower than those sent since. */
export async function skipPendingDeliveries(tx: Sql, accountId: string, at: Date): Promise<void> {
  await tx.run(SKIP_PENDING_DELIVERIES, { accountId, endedAt: at });
  await tx.run(EMPTY_CHAT_QUEUES, { accountId });
  await tx.run(DELETE_UNFINISHED_REPLAYS, { accountId });
}
