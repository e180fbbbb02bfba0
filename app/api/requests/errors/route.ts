import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListRequestErrors, listRequestErrors } from "@/lib/request-log/list-request-errors";

export const GET = endpoint(ListRequestErrors, listRequestErrors, authenticateSession);
