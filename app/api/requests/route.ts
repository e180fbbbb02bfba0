import { ListRequests, listRequests } from "@/lib/request-log/search/list-requests";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListRequests, listRequests, authenticateSession);
