import { CreatePaymentRequest, createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { ListPaymentRequests, listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListPaymentRequests, listPaymentRequests);
export const POST = endpoint(CreatePaymentRequest, createPaymentRequest);
