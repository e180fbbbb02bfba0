import { ListChatNotes, listChatNotes } from "@/lib/messaging/chats/list-chat-notes";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatNotes, listChatNotes, authenticateSession);
