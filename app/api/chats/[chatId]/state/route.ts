import { ChangeChatState, changeChatState } from "@/lib/messaging/team/change-chat-state";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(ChangeChatState, changeChatState, authenticateSession);
