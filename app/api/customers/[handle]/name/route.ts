import { NameHandle, nameHandle } from "@/lib/recipients/handles/name-handle";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(NameHandle, nameHandle, authenticateSession);
