import { endpoint } from "@/lib/http/endpoint";
import { CreatePaymentRequest, createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { ListPaymentRequests, listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";

export const GET = endpoint(ListPaymentRequests, listPaymentRequests);
export const POST = endpoint(CreatePaymentRequest, createPaymentRequest);
