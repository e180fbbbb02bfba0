import { ShowAgentPayment, showAgentPayment } from "@/lib/payments/agent-payments/show-agent-payment";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ShowAgentPayment, showAgentPayment, authenticateSession);
