import { CancelPaymentRequest, cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CancelPaymentRequest, cancelPaymentRequest, authenticateSession);
