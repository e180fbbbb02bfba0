import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ListChatNotes, listChatNotes } from "@/lib/messaging/chats/list-chat-notes";

export const GET = endpoint(ListChatNotes, listChatNotes, authenticateSession);
