import { MarkRead, markRead } from "@/lib/messaging/presence/mark-read";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(MarkRead, markRead);
