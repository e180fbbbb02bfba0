import {
  ListScheduledMessageViews,
  listScheduledMessageViews,
} from "@/lib/messaging/scheduled/list-scheduled-message-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListScheduledMessageViews, listScheduledMessageViews, authenticateSession);
