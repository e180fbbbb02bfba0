import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { GetEventView, getEventView } from "@/lib/webhooks/deliveries/get-event-view";

export const GET = endpoint(GetEventView, getEventView, authenticateSession);
