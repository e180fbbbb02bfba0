import "server-only";
import { exportOf } from "@/lib/platform/export-of";
import { ListRequests, listRequests } from "@/lib/request-log/list-requests";

/** The request log as CSV. */
export const exportRequests = exportOf(ListRequests, listRequests, {
  summary: "Export the request log of the account as CSV",
  filename: "requests.csv",
  pageRows: 1000,
  itemsOf: (page) => page.requests,
  columns: {
    request_id: ({ id }) => id,
    created_at: ({ created_at }) => created_at,
    method: ({ method }) => method,
    route: ({ route }) => route,
    path: ({ path }) => path,
    status: ({ status }) => status,
    error_code: ({ error_code }) => error_code,
    latency_ms: ({ latency_ms }) => latency_ms,
    line: ({ line }) => line,
    chat_id: ({ chat_id }) => chat_id,
    trace_id: ({ trace_id }) => trace_id,
    token_id: ({ token }) => token.id,
    token_name: ({ token }) => token.name,
  },
});
