import { MarkRead, markRead } from "@/lib/chats/mark-read";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(MarkRead, markRead);
