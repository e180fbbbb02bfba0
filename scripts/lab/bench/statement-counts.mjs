const RELOAD_MS = 5000;

/** The settings with which PostgreSQL must be started. */
export const STATEMENT_COUNTS = { shared_preload_libraries: "pg_stat_statements" };

/** Sets which statements are counted: `top` or `none`. Resolves when the server has the setting. */
export async function trackStatements(admin, which) {
  await admin.query(`alter system set pg_stat_statements.track = '${which}'`);
  await admin.query("select pg_reload_conf()");
  const deadline = Date.now() + RELOAD_MS;
  for (;;) {
    const { rows } = await admin.query("show pg_stat_statements.track");
    if (rows[0]["pg_stat_statements.track"] === which) return;
    if (Date.now() > deadline) throw new Error("PostgreSQL did not reload its settings");
  }
}

/**
 * Counts what the statements of a database cost between `start` and `stop`, with pg_stat_statements. `admin` is a
 * superuser's connection to another database, so its own statements are not counted.
 */
export function createStatementCounts(database, admin) {
  return {
    async start() {
      await admin.query("create extension if not exists pg_stat_statements");
      await trackStatements(admin, "top");
      await admin.query("select pg_stat_statements_reset()");
    },
    /** Returns the statements since `start`: their calls, rows, WAL bytes and execution time. */
    async stop() {
      await trackStatements(admin, "none");
      const [{ name }] = await database.query("select current_database() as name");
      const { rows } = await admin.query(
        `select query, sum(calls)::float8 as calls, sum(rows)::float8 as rows, sum(wal_bytes)::float8 as "walBytes",
           sum(total_exec_time)::float8 as ms
         from pg_stat_statements where dbid = (select oid from pg_database where datname = $1)
         group by query order by ms desc`,
        [name],
      );
      return rows;
    },
  };
}

/** The steps of a message's life, by a part of the text of their statements. The first match counts. */
const STEPS = [
  ["transaction control", /^(begin|commit|rollback)/i],
  ["authenticate", /from api_tokens|update api_tokens|token_minutes/i],
  ["accept", /insert into messages[\s\S]*idempotency_key[\s\S]*dispatch_at/i],
  ["request log", /insert into api_requests/i],
  ["claim the message", /recursive busy/i],
  ["check the service", /simulator_lines l on|simulator_phones p on p\.account_id = asked/i],
  ["hand over to the phone", /insert into simulator_messages[\s\S]*pending_receipt/i],
  ["store what the transport answered", /update messages m set[\s\S]*delivery_status/i],
  [
    "look for due receipts",
    /due_at <= .*from simulator_messages|from simulator_messages[\s\S]*for update skip locked/i,
  ],
  ["find the reported message", /as asked\(account_id, line_id, ref/i],
  ["settle the receipt on the phone", /update simulator_messages/i],
  ["receive", /insert into messages[\s\S]*reconciled_at/i],
  ["find the phone and the line", /"?simulator_phones"?[\s\S]*where|from "?public"?\."?lines"?/i],
  ["store on the phone", /insert into simulator_messages/i],
  ["claim deliveries", /webhook_deliveries[\s\S]*skip locked/i],
  ["record attempts", /insert into webhook_attempts/i],
  ["notify other processes", /pg_notify/i],
];

/**
 * The statements grouped by step, each divided by the number of messages: calls, rows, WAL bytes and PostgreSQL's time
 * in µs. Statements that belong to no step are one group, `everything else`.
 */
export function costsByStep(statements, messages) {
  const steps = new Map();
  for (const { query, calls, rows, walBytes, ms } of statements) {
    const step = STEPS.find(([, pattern]) => pattern.test(query))?.[0] ?? "everything else";
    const sum = steps.get(step) ?? { step, calls: 0, rows: 0, walBytes: 0, microseconds: 0, texts: [] };
    sum.calls += calls / messages;
    sum.rows += rows / messages;
    sum.walBytes += walBytes / messages;
    sum.microseconds += (ms * 1000) / messages;
    sum.texts.push({ text: query.replaceAll(/\s+/g, " ").slice(0, 160), calls: calls / messages });
    steps.set(step, sum);
  }
  return [...steps.values()].toSorted((a, b) => b.microseconds - a.microseconds);
}
