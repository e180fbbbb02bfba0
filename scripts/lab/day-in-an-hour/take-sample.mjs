import { postgresBytes, residentBytes } from "../../instance/process-memory.mjs";
import { toWallTime } from "./drive-clock.mjs";
import { RETENTION_MINUTES } from "./open-day.mjs";

const PLATFORM_NOW =
  "(now() + coalesce((select offset_ms from platform_clock where id = 1), 0) * interval '1 millisecond')";
const LEAST_TABLE_BYTES = 1_000_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Reads the state of the running instance: memory of each process in bytes, the pending work with the wall-clock age of
 * its oldest due entry in seconds, table sizes in bytes, the counters of the load and of the endpoints, and the total
 * calls and ms of each statement since the start. `before` is the previous sample.
 */
export async function takeSample(
  { database, tenant, processes, postgresPid, endpoints },
  { changes, counts, from, before },
) {
  const seconds = (performance.now() - from) / 1000;
  const memory = {
    web: residentBytes(processes.web.pid),
    worker: residentBytes(processes.worker.pid),
    postgres: postgresBytes(postgresPid),
  };
  const kept = await readOldestKept(database, tenant.accountId, before?.oldestKept ?? FIRST_ID);
  return {
    seconds,
    memory,
    queues: {
      ...(await readQueues(database, endpoints, changes)),
      erasing: ageErasing(kept, changes),
    },
    oldestKept: kept?.id,
    tables: await readTables(database),
    counters: { ...counts, errors: { ...counts.errors }, answers: await readAnswers(endpoints) },
    statements: await readStatements(database),
  };
}

async function readQueues(database, endpoints, changes) {
  const [messages] = await database.query(dueIn("messages", "dispatch_at", "null::uuid"));
  const [receipts] = await database.query(dueIn("simulator_messages", "due_at", "null::uuid"));
  const deliveries = await database.query(dueIn("webhook_deliveries", "run_at", "subscription_id"));
  const at = Date.now();
  const aged = (row) => ({
    count: row?.count ?? 0,
    ageSeconds: Math.max(
      0,
      row?.wall ? (at - row.wall) / 1000 : 0,
      row?.platform ? (at - toWallTime(row.platform, changes)) / 1000 : 0,
    ),
  });
  const ofEndpoints = Object.entries(endpoints).map(([name, { id }]) => [
    `deliveries to ${name}`,
    aged(deliveries.find((row) => row.id === id)),
  ]);
  return { messages: aged(messages), receipts: aged(receipts), ...Object.fromEntries(ofEndpoints) };
}

// A first attempt is due from the wall clock's time if the platform clock is ahead (emit-event.ts), a retry from the
// platform clock's time.
function dueIn(table, column, id) {
  const oldest = (where) => `extract(epoch from min(${column}) filter (where ${where}))::float8 * 1000`;
  return `select ${id} as id, count(*)::int as count, ${oldest(`${column} <= now()`)} as wall,
      ${oldest(`${column} > now()`)} as platform
    from ${table} where ${column} <= ${PLATFORM_NOW} group by 1`;
}

// Ids have the order of the wall clock, and messages are erased in this order, so all before `after` are erased.
async function readOldestKept(database, accountId, after) {
  const [row] = await database.query(
    `select id, extract(epoch from created_at)::float8 * 1000 as created from messages
     where account_id = $1 and id >= $2 and deleted_at is null order by id limit 1`,
    [accountId, after],
  );
  return row;
}

function ageErasing(kept, changes) {
  if (kept === undefined) return { count: 0, ageSeconds: 0 };
  const [now, due] = [Date.now(), kept.created + RETENTION_MINUTES * 60_000];
  const { offsetMs } = changes.at(-1);
  const isDue = due <= now + offsetMs;
  return { count: isDue ? 1 : 0, ageSeconds: isDue ? (now - toWallTime(due, changes)) / 1000 : 0 };
}

async function readTables(database) {
  const rows = await database.query(
    `select coalesce(inhparent::regclass::text, relname) as name, sum(pg_table_size(relid))::float8 as bytes,
       sum(pg_indexes_size(relid))::float8 as "indexBytes", sum(n_live_tup)::float8 as rows
     from pg_stat_user_tables left join pg_inherits on inhrelid = relid
     where schemaname = 'public'
     group by 1 having sum(pg_total_relation_size(relid)) > ${LEAST_TABLE_BYTES}`,
  );
  return Object.fromEntries(rows.map(({ name, ...sizes }) => [name, sizes]));
}

async function readAnswers(endpoints) {
  const answers = {};
  for (const [name, { receiver }] of Object.entries(endpoints)) answers[name] = await receiver.answers();
  return answers;
}

async function readStatements(database) {
  const rows = await database.query(
    `select queryid::text as id, query as text, calls::float8 as calls, total_exec_time as ms from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) and calls > 10`,
  );
  return Object.fromEntries(rows.map(({ id, ...statement }) => [id, statement]));
}
