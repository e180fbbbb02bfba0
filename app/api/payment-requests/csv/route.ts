import { exportPaymentRequests } from "@/lib/payments/requests/search-payment-requests";
import { csvEndpoint } from "@/lib/runtime/http/csv-endpoint";

export const GET = csvEndpoint(exportPaymentRequests);
