import { ListChatCustomers, listChatCustomers } from "@/lib/messaging/chats/list-chat-customers";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatCustomers, listChatCustomers, authenticateSession);
