import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";
import { type Block, blockConditionFields, listBlocks } from "@/lib/recipients/blocks/list-blocks";

const PAGE_ROWS = 500;

export const ExportBlocks = contract({
  summary: "Export blocked handles as CSV",
  tag: "Blocked handles",
  right: "view_opt_outs",
  query: z.object(blockConditionFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listBlocks` finds as a table, newest first, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportBlocks(
  ctx: Context,
  { query }: Pick<Input<typeof ExportBlocks>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await listBlocks(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.blocks, nextCursor: page.next_cursor };
  };
  const columns = ["handle", "blocked_at", "reason", "by"];
  return { filename: "blocked-handles.csv", columns, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({ by, ...block }: Block): CsvRow {
  return { ...block, by: by?.name ?? by?.type ?? null };
}
