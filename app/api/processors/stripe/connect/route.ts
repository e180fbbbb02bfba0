import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import {
  EndConnection,
  endConnection,
  StartConnection,
  startConnection,
} from "@/lib/payments/requests/connect-processor";

export const POST = endpoint(StartConnection, startConnection, authenticateSession);
export const DELETE = endpoint(EndConnection, endConnection, authenticateSession);
