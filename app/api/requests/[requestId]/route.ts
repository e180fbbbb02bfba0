import { GetRequestView, getRequestView } from "@/lib/request-log/search/get-request-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetRequestView, getRequestView, authenticateSession);
