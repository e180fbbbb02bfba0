import { endpoint } from "@/lib/http/endpoint";
import { StartTyping, StopTyping, startTyping, stopTyping } from "@/lib/messaging/chats/set-typing";

export const POST = endpoint(StartTyping, startTyping);
export const DELETE = endpoint(StopTyping, stopTyping);
