import { CopyableId } from "@/components/data/copy/copyable-id";
import { ladderSummary } from "@/components/webhooks/retries/retry-ladder-text";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";
import { TURN_GROUPS, TURN_SECONDS } from "@/lib/webhooks/subscriptions/turn-limits";
import type { TurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";

type EndpointDetailsProps = { endpoint: WebhookSubscriptionView; mayManage: boolean };

/** An endpoint's URL, version, events, lines, rate limit, retry schedule, order and turns, with a note for users who cannot change it. */
export function EndpointDetails({ endpoint, mayManage }: EndpointDetailsProps) {
  const { id, target_url, version, subscribed_events: events, phone_numbers: lines } = endpoint;
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm">
      <span className="wrap-anywhere font-mono text-xs leading-5">{target_url}</span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        <CopyableId value={id} label="subscription id" />
        <span className="tabular-nums">Version {version}</span>
        <span>{events.length === 1 ? "1 event" : `${events.length} events`}</span>
        <span className="tabular-nums">{lines === null ? "All lines" : lines.join(", ")}</span>
        <span className="tabular-nums">
          {endpoint.rate_limit === null ? "No rate limit" : `Up to ${endpoint.rate_limit} events per second`}
        </span>
        {endpoint.retry_seconds && (
          <span className="tabular-nums">{ladderSummary(endpoint.retry_seconds)}</span>
        )}
        {endpoint.auto_replay_per_second !== null && (
          <span className="tabular-nums">
            Replays missed events, up to {endpoint.auto_replay_per_second} per second
          </span>
        )}
        {endpoint.ordering === "chat" && (
          <span>
            In order per chat, {endpoint.on_exhausted === "stop" ? "stops" : "goes on"} after a failure
          </span>
        )}
        {events.includes("chat.turn") && <span className="tabular-nums">{turnSummary(endpoint.turns)}</span>}
        {endpoint.routing_key_header && (
          <span>
            Routing key header: <span className="font-mono">{endpoint.routing_key_header}</span>
          </span>
        )}
      </span>
      {!mayManage && (
        <span className="text-xs">
          Your role can view webhooks. Ask an admin or a developer to change, test or replay them.
        </span>
      )}
    </div>
  );
}

function turnSummary({
  quiet_seconds = TURN_SECONDS.quiet.default,
  max_seconds = TURN_SECONDS.max.default,
  groups = TURN_GROUPS,
}: Partial<TurnSettings> = {}): string {
  const where = groups ? "" : ", direct chats only";
  return `Turns close after ${quiet_seconds} s of quiet, at most ${max_seconds} s${where}`;
}
