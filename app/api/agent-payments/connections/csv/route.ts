import {
  ExportHandleConnections,
  exportHandleConnections,
} from "@/lib/agent-payments/export-handle-connections";
import { csvEndpoint } from "@/lib/http/csv-endpoint";

export const GET = csvEndpoint(ExportHandleConnections, exportHandleConnections);
