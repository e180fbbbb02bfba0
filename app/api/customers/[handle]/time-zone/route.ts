import { SetTimeZone, setTimeZone } from "@/lib/recipients/time-zones/set-time-zone";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(SetTimeZone, setTimeZone, authenticateSession);
