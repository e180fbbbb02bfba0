import { ListConversations, listConversations } from "@/lib/chats/list-conversations";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListConversations, listConversations, authenticateSession);
