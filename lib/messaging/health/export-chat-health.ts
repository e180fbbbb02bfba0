import "server-only";
import { z } from "zod";
import { boardFilterFields, listChatHealth, type WatchedChat } from "@/lib/messaging/health/list-chat-health";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";

const PAGE_ROWS = 1000;

const COLUMNS = [
  "chat_id",
  "line",
  "recipient",
  "status",
  "unanswered_24h",
  "drivers",
  "health_updated_at",
  "last_activity_at",
];

export const ExportChatHealth = contract({
  summary: "Export chats by their health as CSV",
  tag: "Chats",
  right: "view_chats",
  query: z.object(boardFilterFields),
  status: 200,
  errors: ["parameter_invalid"],
});

/** What `listChatHealth` finds as a table, at most a hundred thousand chats. Errors: parameter_invalid. */
export async function exportChatHealth(
  ctx: Context,
  { query }: Pick<Input<typeof ExportChatHealth>, "query">,
): Promise<CsvTable> {
  // The health that is the worst on the first page is that of all.
  let status = query.status;
  const read = async (cursor: string | undefined) => {
    const page = await listChatHealth(ctx, { query: { ...query, status, cursor, limit: PAGE_ROWS } });
    status = page.status;
    return { items: page.chats, nextCursor: page.next_cursor };
  };
  return { filename: "chat-health.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({ drivers, unanswered, is_group: _, line_id: __, ...chat }: WatchedChat): CsvRow {
  return {
    ...chat,
    unanswered_24h: unanswered,
    drivers: drivers.map(({ key, metric }) => `${key}: ${metric}`).join("; "),
  };
}
