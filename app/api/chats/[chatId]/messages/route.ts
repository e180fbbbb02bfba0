import { ListMessageViews, listTimeline } from "@/lib/messaging/messages/list-message-views";
import { SendMessageAsUser, sendMessageAsUser } from "@/lib/messaging/sending/send-message-as-user";
import { TrySendMessage, trySendMessage } from "@/lib/messaging/sending/try-send-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint, withDryRun } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListMessageViews, listTimeline, authenticateSession);
export const POST = withDryRun(
  endpoint(SendMessageAsUser, sendMessageAsUser, authenticateSession),
  endpoint(TrySendMessage, trySendMessage, authenticateSession),
);
