import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListHints, listHints } from "@/lib/recipients/opt-outs/list-hints";

/** Opt-out hints as CSV. */
export const exportHints = exportOf(ListHints, listHints, {
  summary: "Export messages that may be opt-outs as CSV",
  filename: "near-misses.csv",
  pageRows: 500,
  itemsOf: (page) => page.hints,
  columns: {
    handle: ({ handle }) => handle,
    text: ({ text }) => text,
    word: ({ word }) => word,
    created_at: ({ created_at }) => created_at,
    chat_id: ({ chat_id }) => chat_id,
    message_id: ({ message_id }) => message_id,
  },
});
