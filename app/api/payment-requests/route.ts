import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { CreatePaymentRequest, createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import {
  SearchPaymentRequests,
  searchPaymentRequests,
} from "@/lib/payments/requests/search-payment-requests";

export const GET = endpoint(SearchPaymentRequests, searchPaymentRequests, authenticateSession);
export const POST = endpoint(CreatePaymentRequest, createPaymentRequest, authenticateSession);
