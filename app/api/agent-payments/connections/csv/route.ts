import { exportHandleConnections } from "@/lib/payments/connections/list-handle-connection-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportHandleConnections);
