import {
  CancelScheduledMessage,
  cancelScheduledMessage,
} from "@/lib/messaging/scheduled/cancel-scheduled-message";
import {
  ChangeScheduledMessage,
  changeScheduledMessage,
} from "@/lib/messaging/scheduled/change-scheduled-message";
import { GetScheduledMessage, getScheduledMessage } from "@/lib/messaging/scheduled/get-scheduled-message";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetScheduledMessage, getScheduledMessage);
export const PATCH = endpoint(ChangeScheduledMessage, changeScheduledMessage);
export const DELETE = endpoint(CancelScheduledMessage, cancelScheduledMessage);
