import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListReplays, listReplays } from "@/lib/webhooks/replays/list-replays";

export const GET = endpoint(ListReplays, listReplays, authenticateSession);
