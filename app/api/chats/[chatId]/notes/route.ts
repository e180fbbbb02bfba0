import { ListChatNotes, listChatNotes } from "@/lib/chats/list-chat-notes";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListChatNotes, listChatNotes, authenticateSession);
