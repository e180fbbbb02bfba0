import { HandBackChat, handBackChat } from "@/lib/messaging/team/hand-back-chat";
import { TakeOverChat, takeOverChat } from "@/lib/messaging/team/take-over-chat";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(TakeOverChat, takeOverChat, authenticateSession);
export const DELETE = endpoint(HandBackChat, handBackChat, authenticateSession);
