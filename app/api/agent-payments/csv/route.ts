import { exportPayments } from "@/lib/payments/agent-payments/list-payment-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportPayments);
