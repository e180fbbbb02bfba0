import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { CancelPayment, cancelPayment } from "@/lib/payments/agent-payments/cancel-payment";

export const POST = endpoint(CancelPayment, cancelPayment, authenticateSession);
