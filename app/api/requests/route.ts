import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListRequests, listRequests } from "@/lib/request-log/list-requests";

export const GET = endpoint(ListRequests, listRequests, authenticateSession);
