import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetEvent, getEvent } from "@/lib/webhooks/deliveries/get-event";

export const GET = endpoint(GetEvent, getEvent, authenticateSession);
