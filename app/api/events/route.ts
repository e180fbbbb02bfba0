import { ListEventViews, listEventViews } from "@/lib/events/search/list-event-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListEventViews, listEventViews, authenticateSession);
