import { isEventType } from "@/lib/events/catalog/event-types";
import type { NewEvent } from "@/lib/events/store/emit-event";
import { now } from "@/lib/platform/clock";
import { newTraceId } from "@/lib/platform/ids";
import { EVENT_CATALOG } from "@/lib/runtime/wiring/event-catalog";

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
