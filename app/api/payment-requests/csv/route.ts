import { csvEndpoint } from "@/lib/http/csv-endpoint";
import {
  ExportPaymentRequests,
  exportPaymentRequests,
} from "@/lib/payments/requests/export-payment-requests";

export const GET = csvEndpoint(ExportPaymentRequests, exportPaymentRequests);
