import { ListChatHealth, listChatHealth } from "@/lib/health/list-chat-health";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListChatHealth, listChatHealth, authenticateSession);
