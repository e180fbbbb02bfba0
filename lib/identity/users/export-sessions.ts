import "server-only";
import { ListSessions, listSessions } from "@/lib/identity/users/list-sessions";
import { exportOf } from "@/lib/platform/export-of";

/** The user's own sessions as CSV. */
export const exportSessions = exportOf(ListSessions, listSessions, {
  summary: "Export your sessions as CSV",
  filename: "sessions.csv",
  pageRows: 500,
  itemsOf: (page) => page.sessions,
  columns: {
    session_id: ({ id }) => id,
    device: ({ device }) => device,
    ip_address: ({ address }) => address,
    method: ({ method }) => method,
    signed_in_at: ({ created_at }) => created_at,
    last_seen_at: ({ last_seen_at }) => last_seen_at,
    is_current: ({ is_current }) => String(is_current),
  },
});
