import { ListChatHealth, listChatHealth } from "@/lib/messaging/health/list-chat-health";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatHealth, listChatHealth, authenticateSession);
