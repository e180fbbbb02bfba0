import { csvEndpoint } from "@/lib/http/csv-endpoint";
import {
  ExportAgentPayments,
  exportAgentPayments,
} from "@/lib/payments/agent-payments/export-agent-payments";

export const GET = csvEndpoint(ExportAgentPayments, exportAgentPayments);
