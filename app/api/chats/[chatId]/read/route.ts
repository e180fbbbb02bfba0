import { MarkRead, markRead } from "@/lib/messaging/presence/mark-read";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(MarkRead, markRead, authenticateSession);
