import { StartTyping, StopTyping, startTyping, stopTyping } from "@/lib/chats/set-typing";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(StartTyping, startTyping);
export const DELETE = endpoint(StopTyping, stopTyping);
