import { endpoint } from "@/lib/http/endpoint";
import { ListMessages, listMessages } from "@/lib/messages/list-messages";
import { SendMessage, sendMessage } from "@/lib/messages/send-message";

export const GET = endpoint(ListMessages, listMessages);
export const POST = endpoint(SendMessage, sendMessage);
