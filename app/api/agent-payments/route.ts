import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListAgentPayments, listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";

export const GET = endpoint(ListAgentPayments, listAgentPayments, authenticateSession);
