import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListBlocks, listBlocks } from "@/lib/recipients/blocks/list-blocks";

/** Blocked handles as CSV. */
export const exportBlocks = exportOf(ListBlocks, listBlocks, {
  summary: "Export blocked handles as CSV",
  filename: "blocked-handles.csv",
  pageRows: 500,
  itemsOf: (page) => page.blocks,
  columns: {
    handle: ({ handle }) => handle,
    blocked_at: ({ blocked_at }) => blocked_at,
    reason: ({ reason }) => reason,
    by: ({ by }) => by?.name ?? by?.type,
  },
});
