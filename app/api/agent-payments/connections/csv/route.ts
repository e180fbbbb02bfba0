import { csvEndpoint } from "@/lib/http/csv-endpoint";
import {
  ExportHandleConnections,
  exportHandleConnections,
} from "@/lib/payments/agent-payments/export-handle-connections";

export const GET = csvEndpoint(ExportHandleConnections, exportHandleConnections);
