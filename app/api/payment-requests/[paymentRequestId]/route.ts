import { ShowPaymentRequest, showPaymentRequest } from "@/lib/payments/requests/show-payment-request";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ShowPaymentRequest, showPaymentRequest, authenticateSession);
