import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";
import { listOptOuts, type OptOut, optOutConditionFields } from "@/lib/recipients/opt-outs/list-opt-outs";

const PAGE_ROWS = 500;

const COLUMNS = [
  "handle",
  "cause",
  "keyword",
  "by",
  "started_at",
  "chat_id",
  "message_id",
  "ended_at",
  "end_cause",
  "ended_by",
  "end_message_id",
  "last_override_at",
  "last_override_by",
  "last_override_reason",
];

export const ExportOptOuts = contract({
  summary: "Export opt-outs as CSV",
  tag: "Opt-outs",
  right: "view_opt_outs",
  query: z.object(optOutConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listOptOuts` finds as a table, newest first, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportOptOuts(
  ctx: Context,
  { query }: Pick<Input<typeof ExportOptOuts>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await listOptOuts(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.opt_outs, nextCursor: page.next_cursor };
  };
  return { filename: "opt-outs.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({ id: _, by, ended_by, overrides, ...optOut }: OptOut): CsvRow {
  const [last] = overrides;
  return {
    ...optOut,
    by: by?.name ?? by?.type ?? null,
    ended_by: ended_by?.name ?? ended_by?.type ?? null,
    last_override_at: last?.at ?? null,
    last_override_by: last?.by?.name ?? last?.by?.type ?? null,
    last_override_reason: last?.reason ?? null,
  };
}
