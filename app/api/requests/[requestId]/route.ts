import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetRequest, getRequest } from "@/lib/request-log/get-request";

export const GET = endpoint(GetRequest, getRequest, authenticateSession);
