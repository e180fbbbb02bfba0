import { CopyableId } from "@/components/data/copyable-id";
import type { WebhookEndpoint } from "@/lib/webhooks/webhook-endpoint";

type EndpointDetailsProps = { endpoint: WebhookEndpoint; mayManage: boolean };

/** Where an endpoint is, what it is sent and how fast; and to whoever may only look, that it is so. */
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
          {endpoint.rate_limit === null ? "No rate limit" : `At most ${endpoint.rate_limit} a second`}
        </span>
        {endpoint.routing_key_header && (
          <span>
            Routed by <span className="font-mono">{endpoint.routing_key_header}</span>
          </span>
        )}
      </span>
      {!mayManage && (
        <span className="text-xs">
          Your role can look at webhooks. An admin or a developer can change, test and replay them.
        </span>
      )}
    </div>
  );
}
