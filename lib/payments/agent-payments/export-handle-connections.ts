import "server-only";
import {
  ListHandleConnections,
  listHandleConnections,
} from "@/lib/payments/agent-payments/list-handle-connections";
import { exportOf } from "@/lib/platform/export-of";

/** Connected customers as CSV, most recently changed first. */
export const exportHandleConnections = exportOf(ListHandleConnections, listHandleConnections, {
  summary: "Export connected customers as CSV",
  filename: "connected-customers.csv",
  pageRows: 500,
  itemsOf: (page) => page.connections,
  columns: {
    handle: ({ handle }) => handle,
    provider: ({ provider }) => provider,
    status: ({ status }) => status,
    connected_at: ({ connected_at }) => connected_at,
    revoked_at: ({ revoked_at }) => revoked_at,
    updated_at: ({ updated_at }) => updated_at,
    payments: ({ payments }) => payments,
    last_paid_at: ({ last_paid_at }) => last_paid_at,
  },
});
