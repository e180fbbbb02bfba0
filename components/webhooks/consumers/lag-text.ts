import type { Consumer } from "@/lib/webhooks/consumers/consumer";

/** A lag in words, and what they leave open. */
interface LagText {
  text: string;
  title?: string;
}

/**
 * The number of events that wait for a consumer. The log may have more entries than were counted: then none of those that were
 * counted may be for this consumer, and the number would say nothing.
 */
export function lagText({ events, is_partial }: Consumer["lag"]): LagText {
  const count = events.toLocaleString("en-US");
  if (is_partial !== true) return { text: count };
  const title = "The log has more entries after the position than are counted";
  return { text: events === 0 ? "Not counted" : `At least ${count}`, title };
}

/** Like `lagText`, with the noun. */
export function lagWords(lag: Consumer["lag"]): LagText {
  const { text, ...title } = lagText(lag);
  if (lag.events === 0 && lag.is_partial === true) return { text, ...title };
  return { text: `${text} ${lag.events === 1 ? "event" : "events"}`, ...title };
}
