import {
  EndConnection,
  endConnection,
  StartConnection,
  startConnection,
} from "@/lib/payments/processors/connect-processor";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(StartConnection, startConnection, authenticateSession);
export const DELETE = endpoint(EndConnection, endConnection, authenticateSession);
