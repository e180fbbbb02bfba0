import { SearchMessageViews, searchMessageViews } from "@/lib/messaging/search/search-message-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(SearchMessageViews, searchMessageViews, authenticateSession);
