import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ImportV2Chats, importV2ChatsFromText } from "@/lib/runtime/v2/import-v2-chats";

export const POST = endpoint(ImportV2Chats, importV2ChatsFromText, authenticateSession);
