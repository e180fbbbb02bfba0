import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import { DeliveryStatus } from "@/components/webhooks/deliveries/delivery-status";
import type { EventDelivery } from "@/lib/webhooks/deliveries/list-event-deliveries";

type Attempt = EventDelivery["attempts"][number];

/** The deliveries of an event, with every attempt. */
export function DeliveryList({ deliveries }: { deliveries: EventDelivery[] }) {
  return (
    <section aria-labelledby="event-deliveries" className="flex min-w-0 flex-col gap-2">
      <h3 id="event-deliveries" className="font-medium text-sm">
        Deliveries
      </h3>
      {deliveries.length === 0 ? (
        <p className="text-muted-foreground text-xs leading-relaxed">
          No endpoint subscribes to this event.{" "}
          <Link href="/webhooks" className="underline underline-offset-4">
            Add an endpoint
          </Link>{" "}
          to receive events like this one on your server.
        </p>
      ) : (
        <ul className="flex flex-col gap-2">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Delivery({ delivery }: { delivery: EventDelivery }) {
  return (
    <li className="flex flex-col gap-2 rounded-lg border bg-card p-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Link
          href={`/webhooks/${delivery.subscription_id}/deliveries/${delivery.id}`}
          className="wrap-anywhere min-w-0 flex-1 font-mono text-xs underline-offset-4 hover:underline"
        >
          {delivery.target_url}
        </Link>
        <DeliveryStatus
          status={delivery.status}
          attempts={delivery.attempts.length}
          isHeld={delivery.next_attempt_at === null}
        />
      </div>
      <p className="text-muted-foreground text-xs">
        Version {delivery.version}
        {delivery.replay_id !== null && " · replay"}
        {delivery.next_attempt_at && delivery.attempts.length > 0 && (
          <>
            {" · next attempt "}
            <Timestamp value={delivery.next_attempt_at} />
          </>
        )}
      </p>
      {delivery.attempts.length > 0 && (
        <ol className="flex flex-col gap-1.5 border-t pt-2">
          {delivery.attempts.map((attempt) => (
            <AttemptLine key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      )}
    </li>
  );
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  return (
    <li className="flex flex-col gap-1 text-xs">
      <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span className="text-muted-foreground">Attempt {attempt.number}</span>
        <span className="font-medium">{attempt.status_code ?? errorName(attempt)}</span>
        <span className="text-muted-foreground">{Math.round(attempt.latency_ms)} ms</span>
        <Timestamp value={attempt.started_at} className="ml-auto text-muted-foreground" />
      </p>
      {attempt.response_body && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-muted-foreground">Response</summary>
          <pre className="wrap-anywhere mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap rounded-md bg-muted p-2 font-mono">
            {attempt.response_body}
          </pre>
        </details>
      )}
    </li>
  );
}

function errorName({ error }: Attempt): string {
  return error === null ? "No response" : error.replaceAll("_", " ");
}
