import { GetRequest, getRequest } from "@/lib/request-log/search/get-request";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetRequest, getRequest, authenticateSession);
