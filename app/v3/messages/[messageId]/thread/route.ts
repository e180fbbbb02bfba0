import { endpoint } from "@/lib/http/endpoint";
import { ListThread, listThread } from "@/lib/messaging/messages/list-thread";

export const GET = endpoint(ListThread, listThread);
