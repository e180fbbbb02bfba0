import { ActivateStandby, activateStandby } from "@/lib/lines/transports/change-failover";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(ActivateStandby, activateStandby, authenticateSession);
