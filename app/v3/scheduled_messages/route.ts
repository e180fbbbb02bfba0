import {
  ListScheduledMessages,
  listScheduledMessages,
} from "@/lib/messaging/scheduled/list-scheduled-messages";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListScheduledMessages, listScheduledMessages);
