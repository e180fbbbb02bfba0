import { GetMessageView, getMessageView } from "@/lib/messaging/messages/get-message-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetMessageView, getMessageView, authenticateSession);
