import { RemoveStandby, removeStandby } from "@/lib/lines/transports/change-failover";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const DELETE = endpoint(RemoveStandby, removeStandby, authenticateSession);
