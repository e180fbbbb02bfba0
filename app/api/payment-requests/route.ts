import { CreatePaymentRequest, createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import {
  SearchPaymentRequests,
  searchPaymentRequests,
} from "@/lib/payments/requests/search-payment-requests";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SearchPaymentRequests, searchPaymentRequests, authenticateSession);
export const POST = endpoint(CreatePaymentRequest, createPaymentRequest, authenticateSession);
