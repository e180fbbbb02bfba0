import { RecordBadge } from "@/components/data/record-badge";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

const REASONS = { gone: "it responded with 410", failing: "five days of failures", manual: null };

type EndpointStateProps = { endpoint: Pick<WebhookSubscriptionView, "state" | "disabled_reason"> };

/** Whether an endpoint is active, paused or disabled, and why it was disabled. */
export function EndpointState({ endpoint }: EndpointStateProps) {
  const { state, disabled_reason: by } = endpoint;
  const reason = state === "disabled" && by !== null ? REASONS[by] : null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <RecordBadge kind="endpoint" value={state} />
      {reason && <span className="text-muted-foreground text-xs">{reason}</span>}
    </span>
  );
}
