import { ListHandleNames, listHandleNames } from "@/lib/recipients/handles/list-handle-names";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListHandleNames, listHandleNames, authenticateSession);
