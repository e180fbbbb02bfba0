import { exportPaymentRequests } from "@/lib/payments/requests/list-payment-request-views";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportPaymentRequests);
