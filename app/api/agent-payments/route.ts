import { ListPaymentViews, listPaymentViews } from "@/lib/payments/agent-payments/list-payment-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListPaymentViews, listPaymentViews, authenticateSession);
