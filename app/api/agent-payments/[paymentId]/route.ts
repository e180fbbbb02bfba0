import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ShowAgentPayment, showAgentPayment } from "@/lib/payments/agent-payments/show-agent-payment";

export const GET = endpoint(ShowAgentPayment, showAgentPayment, authenticateSession);
