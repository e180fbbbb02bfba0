import { UnsendMessage, unsendMessage } from "@/lib/messaging/unsends/unsend-message";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(UnsendMessage, unsendMessage);
