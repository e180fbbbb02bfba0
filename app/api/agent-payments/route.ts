import { ListAgentPayments, listAgentPayments } from "@/lib/agent-payments/list-agent-payments";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListAgentPayments, listAgentPayments, authenticateSession);
