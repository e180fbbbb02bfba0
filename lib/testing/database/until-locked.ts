import { sql } from "@/lib/platform/database/db";

/** Waits until a statement in this database is waiting for a lock. */
export async function untilLocked(): Promise<"waits"> {
  for (;;) {
    const [row] = await sql.runText<{ waiting: boolean }>({
      text: `select exists (select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock') as waiting`,
    });
    if (row?.waiting) return "waits";
  }
}
