import type { Consumer } from "@/lib/webhooks/consumers/consumer";

/** The number of events that wait for a consumer. The log may have more entries than were counted. */
export function lagText({ events, is_partial }: Consumer["lag"]): string {
  return `${is_partial === true ? "At least " : ""}${events.toLocaleString("en-US")}`;
}
