import { SearchEvents, searchEvents } from "@/lib/events/search-events";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(SearchEvents, searchEvents, authenticateSession);
