import {
  ListHandleConnections,
  listHandleConnections,
} from "@/lib/payments/connections/list-handle-connections";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListHandleConnections, listHandleConnections, authenticateSession);
