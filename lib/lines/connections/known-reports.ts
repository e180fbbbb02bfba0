import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";

/** Whether a vendor's report with this key was stored before. */
export async function isKnownReport(line: LineRef, key: string): Promise<boolean> {
  const rows = await sql.query({
    name: "is-known-report",
    text: "select 1 from transport_refs where account_id = $1 and line_id = $2 and ref = $3",
    values: [line.accountId, line.id, refOf(key)],
  });
  return rows.length > 0;
}

/** Records that a vendor's report was stored. A process that ends before this stores a repeat of the report again. */
export async function recordReport(line: LineRef, key: string): Promise<void> {
  await sql.query({
    name: "record-report",
    text: "insert into transport_refs (account_id, line_id, ref) values ($1, $2, $3) on conflict do nothing",
    values: [line.accountId, line.id, refOf(key)],
  });
}

function refOf(key: string): string {
  return `report:${key}`;
}
