import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListSetAside, listSetAside } from "@/lib/runtime/intake/list-set-aside";

export const GET = endpoint(ListSetAside, listSetAside, authenticateSession);
