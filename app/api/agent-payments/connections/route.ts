import {
  ListHandleConnectionViews,
  listHandleConnectionViews,
} from "@/lib/payments/connections/list-handle-connection-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListHandleConnectionViews, listHandleConnectionViews, authenticateSession);
