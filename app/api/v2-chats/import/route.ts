import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ImportV2Chats, importV2ChatsFromText } from "@/lib/v2-chats/import-v2-chats";

export const POST = endpoint(ImportV2Chats, importV2ChatsFromText, authenticateSession);
