import { CancelPayment, cancelPayment } from "@/lib/agent-payments/cancel-payment";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(CancelPayment, cancelPayment, authenticateSession);
