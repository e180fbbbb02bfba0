import { ListHandleConnections, listHandleConnections } from "@/lib/agent-payments/list-handle-connections";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListHandleConnections, listHandleConnections, authenticateSession);
