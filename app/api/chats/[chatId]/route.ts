import { GetChat, getChat } from "@/lib/chats/get-chat";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(GetChat, getChat, authenticateSession);
