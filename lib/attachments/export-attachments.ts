import "server-only";
import { SearchAttachments, searchAttachments } from "@/lib/attachments/search-attachments";
import { exportOf } from "@/lib/platform/export-of";

/** Attachments as CSV, without their URLs, because anyone with a URL can open the file. */
export const exportAttachments = exportOf(SearchAttachments, searchAttachments, {
  summary: "Export the attachments of the account as CSV",
  filename: "attachments.csv",
  pageRows: 500,
  itemsOf: (page) => page.attachments,
  columns: {
    attachment_id: ({ id }) => id,
    filename: ({ filename }) => filename,
    content_type: ({ content_type }) => content_type,
    size_bytes: ({ size_bytes }) => size_bytes,
    status: ({ status }) => status,
    fault: ({ fault }) => fault,
    tier: ({ tier }) => tier,
    expires_at: ({ expires_at }) => expires_at,
    direction: ({ direction }) => direction,
    line: ({ line }) => line,
    chat_id: ({ message }) => message?.chat_id,
    message_id: ({ message }) => message?.id,
    created_at: ({ created_at }) => created_at,
    deleted_at: ({ deleted }) => deleted?.at,
    deleted_by: ({ deleted }) => deleted?.by?.name ?? deleted?.by?.type,
  },
});
