import { ExportAgentPayments, exportAgentPayments } from "@/lib/agent-payments/export-agent-payments";
import { csvEndpoint } from "@/lib/http/csv-endpoint";

export const GET = csvEndpoint(ExportAgentPayments, exportAgentPayments);
