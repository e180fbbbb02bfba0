import { RecordBadge, type RecordStatus } from "@/components/data/record-badge";
import { useNow } from "@/components/data/time/clock";
import type { Consumer } from "@/lib/webhooks/consumers/consumer";

/** A program that runs polls at least this often: a poll waits for 30 seconds at most. */
const POLLING_MS = 5 * 60_000;

/** Whether a consumer keeps up with the events of the account. */
export function ConsumerState({ consumer }: { consumer: Consumer }) {
  const { nowMs } = useNow();
  return <RecordBadge kind="consumer" value={stateOfConsumer(consumer, nowMs)} />;
}

type Watched = Pick<Consumer, "has_expired_events" | "leased_until" | "lag" | "last_polled_at">;

/** The state of a consumer at a time in milliseconds. It is up to date only if its program polls. */
export function stateOfConsumer(consumer: Watched, nowMs: number | null): RecordStatus<"consumer"> {
  const { lag, last_polled_at } = consumer;
  if (consumer.has_expired_events) return "lost";
  if (consumer.leased_until !== null) return "leased";
  // Each poll passes the entries that are not for the consumer, so a log that was not counted to its end is behind too.
  if (lag.events > 0 || lag.is_partial === true) return "behind";
  if (last_polled_at === null) return "unused";
  return nowMs !== null && nowMs - Date.parse(last_polled_at) > POLLING_MS ? "idle" : "current";
}
