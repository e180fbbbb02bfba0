import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { GetChat, getChat } from "@/lib/messaging/chats/get-chat";

export const GET = endpoint(GetChat, getChat, authenticateSession);
