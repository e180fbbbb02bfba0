import { ListThread, listThread } from "@/lib/messaging/messages/list-thread";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListThread, listThread);
