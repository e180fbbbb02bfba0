import "server-only";
import { z } from "zod";
import {
  connectionConditionFields,
  listHandleConnections,
} from "@/lib/payments/agent-payments/list-handle-connections";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvTable, csvPages } from "@/lib/platform/csv-table";

const PAGE_ROWS = 500;

const COLUMNS = [
  "handle",
  "provider",
  "status",
  "connected_at",
  "revoked_at",
  "updated_at",
  "payments",
  "last_paid_at",
];

export const ExportHandleConnections = contract({
  summary: "Export connected customers as CSV",
  tag: "Agent payments",
  right: "view_payments",
  query: z.object(connectionConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listHandleConnections` finds as a table, the last changed hundred thousand. Errors: parameter_invalid. */
export async function exportHandleConnections(
  ctx: Context,
  { query }: Pick<Input<typeof ExportHandleConnections>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await listHandleConnections(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.connections, nextCursor: page.next_cursor };
  };
  const pages = csvPages(CSV_ROWS_MOST, read, (connection) => connection);
  return { filename: "connected-customers.csv", columns: COLUMNS, pages };
}
