import { endpoint } from "@/lib/http/endpoint";
import { MarkRead, markRead } from "@/lib/messaging/chats/mark-read";

export const POST = endpoint(MarkRead, markRead);
