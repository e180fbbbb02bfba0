import { TotalAgentPayments, totalAgentPayments } from "@/lib/agent-payments/total-agent-payments";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(TotalAgentPayments, totalAgentPayments, authenticateSession);
