import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListReplays, listReplays } from "@/lib/webhooks/list-replays";

export const GET = endpoint(ListReplays, listReplays, authenticateSession);
