import "server-only";
import { sql } from "@/lib/platform/db";

/**
 * Whether a row of the table fulfills the condition, in any account. An index must contain exactly these rows, so that
 * the answer takes one lookup. Queues ask this while nothing happens.
 */
export async function hasRows(table: string, condition: string): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>({
    name: `has-rows-of-${table}`,
    text: `select exists (select from ${table} where ${condition}) as found`,
  });
  return row?.found === true;
}
