import {
  TotalPaymentRequests,
  totalPaymentRequests,
} from "@/lib/payments/requests/list-payment-request-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(TotalPaymentRequests, totalPaymentRequests, authenticateSession);
