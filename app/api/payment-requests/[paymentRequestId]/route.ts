import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ShowPaymentRequest, showPaymentRequest } from "@/lib/payments/requests/show-payment-request";

export const GET = endpoint(ShowPaymentRequest, showPaymentRequest, authenticateSession);
