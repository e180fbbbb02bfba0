import { ListHints, listHints } from "@/lib/recipients/opt-outs/list-hints";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListHints, listHints, authenticateSession);
