import { ChangeChats, changeChats } from "@/lib/messaging/team/change-chats";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ChangeChats, changeChats, authenticateSession);
