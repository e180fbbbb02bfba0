import { AssignChat, assignChat } from "@/lib/messaging/team/assign-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(AssignChat, assignChat, authenticateSession);
