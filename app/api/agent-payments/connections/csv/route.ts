import { exportHandleConnections } from "@/lib/payments/connections/list-handle-connections";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportHandleConnections);
