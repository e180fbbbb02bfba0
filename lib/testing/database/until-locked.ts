import { sql } from "@/lib/platform/database/db";

/** Waits until a statement in this database is waiting for a lock: one whose text contains `text`, if given. */
export async function untilLocked(text = ""): Promise<"waits"> {
  for (;;) {
    const [row] = await sql.runText<{ waiting: boolean }>({
      text: `select exists (select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0) as waiting`,
      values: [text],
    });
    if (row?.waiting) return "waits";
  }
}
