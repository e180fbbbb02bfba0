import { ListRequestErrors, listRequestErrors } from "@/lib/request-log/search/list-request-errors";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListRequestErrors, listRequestErrors, authenticateSession);
