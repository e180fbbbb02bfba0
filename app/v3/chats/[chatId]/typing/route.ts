import { StartTyping, StopTyping, startTyping, stopTyping } from "@/lib/messaging/presence/set-typing";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(StartTyping, startTyping);
export const DELETE = endpoint(StopTyping, stopTyping);
