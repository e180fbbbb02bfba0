import { GetChat, getChat } from "@/lib/messaging/chats/get-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetChat, getChat, authenticateSession);
