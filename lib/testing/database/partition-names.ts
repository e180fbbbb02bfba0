import { sql } from "@/lib/platform/database/db";

/**
 * Returns a function that replaces the names of partitions, and of their indexes, by those of the partitioned table and
 * its indexes. A test of a plan names the table, whatever partitions it has.
 */
export async function readPartitionNames(): Promise<(text: string) => string> {
  const rows = await sql.runText<{ name: string; whole: string }>({
    text: `select inhrelid::regclass::text as name, inhparent::regclass::text as whole from pg_inherits`,
  });
  const wholes = new Map(rows.map(({ name, whole }) => [name, whole]));
  return (text) => text.replaceAll(/\w+/g, (word) => wholes.get(word) ?? word);
}
