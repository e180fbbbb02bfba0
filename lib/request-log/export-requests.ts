import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";
import type { LoggedRequest } from "@/lib/request-log/api-request";
import { listRequests } from "@/lib/request-log/list-requests";
import { requestConditionFields } from "@/lib/request-log/request-conditions";

const PAGE_ROWS = 1000;

const COLUMNS = [
  "request_id",
  "created_at",
  "method",
  "route",
  "path",
  "status",
  "error_code",
  "latency_ms",
  "line",
  "chat_id",
  "trace_id",
  "token_id",
  "token_name",
];

export const ExportRequests = contract({
  summary: "Export the request log of the account as CSV",
  tag: "Requests",
  right: "view_requests",
  query: z.object(requestConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listRequests` finds as a table, newest first, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportRequests(
  ctx: Context,
  { query }: Pick<Input<typeof ExportRequests>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await listRequests(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.requests, nextCursor: page.next_cursor };
  };
  return { filename: "requests.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({ id, token, ...request }: LoggedRequest): CsvRow {
  return { ...request, request_id: id, token_id: token.id, token_name: token.name };
}
