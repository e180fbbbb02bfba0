import { ShowAgentPayment, showAgentPayment } from "@/lib/agent-payments/show-agent-payment";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ShowAgentPayment, showAgentPayment, authenticateSession);
