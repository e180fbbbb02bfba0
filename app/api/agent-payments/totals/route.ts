import { TotalAgentPayments, totalAgentPayments } from "@/lib/payments/agent-payments/total-agent-payments";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(TotalAgentPayments, totalAgentPayments, authenticateSession);
