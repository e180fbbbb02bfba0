import { ListMessages, listMessages } from "@/lib/messaging/messages/list-messages";
import { SendMessage, sendMessage } from "@/lib/messaging/sending/send-message";
import { TrySendMessage, trySendMessage } from "@/lib/messaging/sending/try-send-message";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListMessages, listMessages);
export const POST = withDryRun(endpoint(SendMessage, sendMessage), endpoint(TrySendMessage, trySendMessage));
