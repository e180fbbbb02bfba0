import {
  CancelScheduledMessage,
  cancelScheduledMessage,
} from "@/lib/messaging/scheduled/cancel-scheduled-message";
import {
  ChangeScheduledMessage,
  changeScheduledMessage,
} from "@/lib/messaging/scheduled/change-scheduled-message";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PATCH = endpoint(ChangeScheduledMessage, changeScheduledMessage, authenticateSession);
export const DELETE = endpoint(CancelScheduledMessage, cancelScheduledMessage, authenticateSession);
