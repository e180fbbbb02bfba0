import "server-only";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const IS_KNOWN_REPORT = statement(
  "is-known-report",
  "select 1 from transport_refs where account_id = :accountId and line_id = :lineId and ref = :refOf",
);

/** Whether a vendor's report with this key was stored before. */
export async function isKnownReport(line: LineRef, key: string): Promise<boolean> {
  const rows = await sql.run(IS_KNOWN_REPORT, {
    accountId: line.accountId,
    lineId: line.id,
    refOf: refOf(key),
  });
  return rows.length > 0;
}

const RECORD_REPORT = statement(
  "record-report",
  "insert into transport_refs (account_id, line_id, ref) values (:accountId, :lineId, :refOf) on conflict do nothing",
);

/** Records that a vendor's report was stored. A process that ends before this stores a repeat of the report again. */
export async function recordReport(line: LineRef, key: string): Promise<void> {
  await sql.run(RECORD_REPORT, { accountId: line.accountId, lineId: line.id, refOf: refOf(key) });
}

function refOf(key: string): string {
  return `report:${key}`;
}
