import { MarkRead, markRead } from "@/lib/messaging/chats/mark-read";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(MarkRead, markRead);
