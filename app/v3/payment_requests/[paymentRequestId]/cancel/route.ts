import { CancelPaymentRequest, cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(CancelPaymentRequest, cancelPaymentRequest);
