import "server-only";
import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";
import { exportOf } from "@/lib/platform/export-of";

/**
 * The chats with one health status as CSV. Without a status in the query, every page uses the worst status that exists.
 */
export const exportChatHealth = exportOf(ListChatHealth, listChatHealth, {
  summary: "Export chats by health as CSV",
  filename: "chat-health.csv",
  pageRows: 1000,
  itemsOf: (page) => page.chats,
  fixedBy: ({ status }) => ({ status }),
  columns: {
    chat_id: ({ chat_id }) => chat_id,
    line: ({ line }) => line,
    recipient: ({ recipient }) => recipient,
    status: ({ status }) => status,
    unanswered_24h: ({ unanswered }) => unanswered,
    drivers: ({ drivers }) => drivers.map(({ key, metric }) => `${key}: ${metric}`).join("; "),
    health_updated_at: ({ health_updated_at }) => health_updated_at,
    last_activity_at: ({ last_activity_at }) => last_activity_at,
  },
});
