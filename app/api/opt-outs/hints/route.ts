import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListHints, listHints } from "@/lib/recipients/opt-outs/list-hints";

export const GET = endpoint(ListHints, listHints, authenticateSession);
