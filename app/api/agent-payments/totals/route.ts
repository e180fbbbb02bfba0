import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { TotalAgentPayments, totalAgentPayments } from "@/lib/payments/agent-payments/total-agent-payments";

export const GET = endpoint(TotalAgentPayments, totalAgentPayments, authenticateSession);
