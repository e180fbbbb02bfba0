import { SearchEvents, searchEvents } from "@/lib/events/search/search-events";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SearchEvents, searchEvents, authenticateSession);
