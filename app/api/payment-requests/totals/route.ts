import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { TotalPaymentRequests, totalPaymentRequests } from "@/lib/payments/requests/search-payment-requests";

export const GET = endpoint(TotalPaymentRequests, totalPaymentRequests, authenticateSession);
