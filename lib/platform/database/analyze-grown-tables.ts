import "server-only";
import { inBackground } from "@/lib/platform/database/database-scope";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { onWake } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

const CHECK_MS = 5000;
/** Plans for a smaller table are good enough. */
const LEAST_CHANGES = 500;

const FIND_GROWN_TABLES = plannedStatement(
  "find-grown-tables",
  `select quote_ident(c.relname) as "name!"
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.schemaname = current_schema()
    and s.n_mod_since_analyze > greatest(${LEAST_CHANGES}, 2 * c.reltuples)
  union
  select quote_ident(c.relname) from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'p' and (
    select sum(s.n_live_tup) from pg_inherits i join pg_stat_user_tables s on s.relid = i.inhrelid
    where i.inhparent = c.oid) > greatest(${LEAST_CHANGES}, 3 * c.reltuples)
  order by name`,
);

/**
 * Updates the planner statistics of tables that have tripled. Plans are made once and stay in use (see HOT_SESSION in
 * db.ts), so the first plans of a young database are made for empty tables. PostgreSQL's own ANALYZE comes up to a
 * minute later, and each plan is made again after it. PostgreSQL never analyzes a partitioned table as a whole. Resolves with the names of the tables.
 */
export async function analyzeGrownTables(): Promise<string[]> {
  const grown = await sql.run(FIND_GROWN_TABLES);
  for (const { name } of grown) await sql.runText({ text: `analyze (skip_locked) ${name}` });
  return grown.map(({ name }) => name);
}

/** Calls `analyzeGrownTables` every 5 s while events are stored, until stopped. */
export function startAnalyzing(): { stop(): Promise<void> } {
  let hasEvents = false;
  let running: Promise<void> = Promise.resolve();
  const forget = onWake("events", () => {
    hasEvents = true;
  });

  async function analyze(): Promise<void> {
    if (!hasEvents) return;
    hasEvents = false;
    try {
      const names = await inBackground(analyzeGrownTables);
      if (names.length > 0) log.debug({ tables: names }, "the planner statistics of tables were updated");
    } catch (error) {
      log.warn({ err: error }, "the planner statistics could not be updated");
    }
  }

  const timer = setInterval(() => {
    running = running.then(analyze);
  }, CHECK_MS);
  return {
    async stop() {
      clearInterval(timer);
      forget();
      await running;
    },
  };
}
