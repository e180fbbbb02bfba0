import { sql } from "@/lib/platform/database/db";

/** Returns every row as text, grouped by table, like a dump of the database. A table contains its partitions. */
async function dumpDatabase(): Promise<Map<string, string>> {
  const tables = await sql.runText<{ name: string }>({
    text: `select quote_ident(relname) as name from pg_class
           where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition`,
  });
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql.runText<{ text: string | null }>({
      text: `select string_agg(t::text, E'\\n') as text from ${name} t`,
    });
    dump.set(name, row?.text ?? "");
  }
  return dump;
}

/** Returns the tables that contain a text. */
export async function tablesWith(what: string | RegExp): Promise<string[]> {
  const dump = await dumpDatabase();
  return [...dump].flatMap(([table, rows]) => (containsText(rows, what) ? [table] : [])).sort();
}

export function containsText(text: string, what: string | RegExp): boolean {
  return typeof what === "string" ? text.includes(what) : what.test(text);
}
