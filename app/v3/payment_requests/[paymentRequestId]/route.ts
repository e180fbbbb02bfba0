import { GetPaymentRequest, getPaymentRequest } from "@/lib/payments/requests/get-payment-request";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentRequest, getPaymentRequest);
