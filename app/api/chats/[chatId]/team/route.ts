import { GetChatTeam, getChatTeam } from "@/lib/messaging/team/get-chat-team";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetChatTeam, getChatTeam, authenticateSession);
