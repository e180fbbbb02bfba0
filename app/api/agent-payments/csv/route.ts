import { exportAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportAgentPayments);
