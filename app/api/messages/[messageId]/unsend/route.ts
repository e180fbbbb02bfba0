import { UnsendMessage, unsendMessage } from "@/lib/messaging/unsends/unsend-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(UnsendMessage, unsendMessage, authenticateSession);
