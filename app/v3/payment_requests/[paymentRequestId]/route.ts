import { endpoint } from "@/lib/http/endpoint";
import { GetPaymentRequest, getPaymentRequest } from "@/lib/payments/requests/get-payment-request";

export const GET = endpoint(GetPaymentRequest, getPaymentRequest);
