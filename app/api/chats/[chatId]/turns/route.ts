import { ListChatTurns, listChatTurns } from "@/lib/messaging/turns/list-chat-turns";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatTurns, listChatTurns, authenticateSession);
