import { CreatePaymentRequest, createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import {
  ListPaymentRequestViews,
  listPaymentRequestViews,
} from "@/lib/payments/requests/list-payment-request-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListPaymentRequestViews, listPaymentRequestViews, authenticateSession);
export const POST = endpoint(CreatePaymentRequest, createPaymentRequest, authenticateSession);
