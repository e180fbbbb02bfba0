import { ListEvents, listEvents } from "@/lib/events/list-events";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListEvents, listEvents, authenticateSession);
