import "server-only";
import { ListConversations, listConversations } from "@/lib/messaging/chats/list-conversations";
import { exportOf } from "@/lib/platform/export-of";

/** The chats of an account as CSV. */
export const exportConversations = exportOf(ListConversations, listConversations, {
  summary: "Export chats as CSV",
  filename: "chats.csv",
  pageRows: 500,
  itemsOf: (page) => page.conversations,
  columns: {
    chat_id: ({ chat }) => chat.id,
    display_name: ({ chat }) => chat.display_name,
    handles: ({ chat }) => chat.handles.flatMap(({ handle, is_me }) => (is_me ? [] : [handle])).join(" "),
    is_group: ({ chat }) => String(chat.is_group),
    line_id: ({ line_id }) => line_id,
    service: ({ chat }) => chat.service,
    health: ({ chat }) => chat.health_status.status,
    unread: ({ unread }) => unread,
    last_message_at: ({ last_message }) => last_message?.created_at,
    created_at: ({ chat }) => chat.created_at,
  },
});
