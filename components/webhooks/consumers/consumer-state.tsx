import { RecordBadge, type RecordStatus } from "@/components/data/record-badge";
import type { Consumer } from "@/lib/webhooks/consumers/consumer";

/** Whether a consumer keeps up with the events of the account. */
export function ConsumerState({ consumer }: { consumer: Consumer }) {
  return <RecordBadge kind="consumer" value={stateOf(consumer)} />;
}

function stateOf(consumer: Consumer): RecordStatus<"consumer"> {
  if (consumer.has_expired_events) return "lost";
  if (consumer.leased_until !== null) return "leased";
  if (consumer.lag.events > 0) return "behind";
  return consumer.last_polled_at === null ? "unused" : "current";
}
