import { GetPaymentView, getPaymentView } from "@/lib/payments/agent-payments/get-payment-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetPaymentView, getPaymentView, authenticateSession);
