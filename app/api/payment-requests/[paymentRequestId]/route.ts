import {
  GetPaymentRequestView,
  getPaymentRequestView,
} from "@/lib/payments/requests/get-payment-request-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentRequestView, getPaymentRequestView, authenticateSession);
