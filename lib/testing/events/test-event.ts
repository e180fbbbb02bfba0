import { EVENT_CATALOG } from "@/lib/docs/reference/event-catalog";
import { isEventType } from "@/lib/events/catalog/event-types";
import type { NewEvent } from "@/lib/events/store/emit-event";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/**
 * An event at the current time with the example data of its type. Tests can store any data with any type; the service's
 * code can't (`newEvent`).
 */
export function testEvent(
  accountId: string,
  { type = "message.sent", ...fields }: Partial<Omit<NewEvent, "accountId">> = {},
): NewEvent {
  const event = {
    accountId,
    type,
    internal: false,
    lineId: null,
    chatId: null,
    messageId: null,
    traceId: newTraceId(),
    data: isEventType(type) ? EVENT_CATALOG[type].payload.example : {},
    at: now(),
    ...fields,
  };
  return event as NewEvent;
}
