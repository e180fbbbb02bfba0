import { endpoint } from "@/lib/http/endpoint";
import { CancelPaymentRequest, cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";

export const POST = endpoint(CancelPaymentRequest, cancelPaymentRequest);
