import { ListThreadMessages, listThreadMessages } from "@/lib/messaging/messages/list-thread-messages";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListThreadMessages, listThreadMessages);
