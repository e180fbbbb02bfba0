import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import {
  ListHandleConnections,
  listHandleConnections,
} from "@/lib/payments/agent-payments/list-handle-connections";

export const GET = endpoint(ListHandleConnections, listHandleConnections, authenticateSession);
