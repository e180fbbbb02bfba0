import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";

export const GET = endpoint(ListChatHealth, listChatHealth, authenticateSession);
