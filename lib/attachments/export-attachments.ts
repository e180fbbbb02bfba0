import "server-only";
import { z } from "zod";
import { attachmentConditionFields } from "@/lib/attachments/attachment-conditions";
import type { ListedAttachment } from "@/lib/attachments/listed-attachment";
import { searchAttachments } from "@/lib/attachments/search-attachments";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { CSV_ROWS_MOST, type CsvRow, type CsvTable, csvPages } from "@/lib/platform/csv-table";

const PAGE_ROWS = 500;

// An address opens the file for whoever reads the table: it stays out.
const COLUMNS = [
  "attachment_id",
  "filename",
  "content_type",
  "size_bytes",
  "status",
  "fault",
  "tier",
  "expires_at",
  "direction",
  "line",
  "chat_id",
  "message_id",
  "created_at",
  "deleted_at",
  "deleted_by",
];

export const ExportAttachments = contract({
  summary: "Export the attachments of the account as CSV",
  tag: "Attachments",
  right: "view_chats",
  query: z.object(attachmentConditionFields),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164"],
});

/** What `searchAttachments` finds as a table, the newest hundred thousand. Errors: parameter_invalid. */
export async function exportAttachments(
  ctx: Context,
  { query }: Pick<Input<typeof ExportAttachments>, "query">,
): Promise<CsvTable> {
  const read = async (cursor: string | undefined) => {
    const page = await searchAttachments(ctx, { query: { ...query, cursor, limit: PAGE_ROWS } });
    return { items: page.attachments, nextCursor: page.next_cursor };
  };
  return { filename: "attachments.csv", columns: COLUMNS, pages: csvPages(CSV_ROWS_MOST, read, toRow) };
}

function toRow({
  id,
  message,
  deleted,
  url: _,
  preview: __,
  family: ___,
  ...file
}: ListedAttachment): CsvRow {
  return {
    ...file,
    attachment_id: id,
    chat_id: message?.chat_id ?? null,
    message_id: message?.id ?? null,
    deleted_at: deleted?.at ?? null,
    deleted_by: deleted?.by?.name ?? deleted?.by?.type ?? null,
  };
}
