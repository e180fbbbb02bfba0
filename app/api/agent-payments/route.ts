import { ListAgentPayments, listAgentPayments } from "@/lib/payments/agent-payments/list-agent-payments";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListAgentPayments, listAgentPayments, authenticateSession);
