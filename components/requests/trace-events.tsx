import Link from "next/link";
import { Timestamp } from "@/components/data/time/timestamp";
import type { EventView } from "@/lib/events/store/event-view";

/** The events with a request's trace id. */
export function TraceEvents({ events, traceId }: { events: EventView[]; traceId: string }) {
  return (
    <section aria-labelledby="trace-events" className="flex min-w-0 flex-col gap-3">
      <h2 id="trace-events" className="font-medium text-sm">
        Events of this trace
      </h2>
      {events.length === 0 ? (
        <p className="text-muted-foreground">This request has emitted no events.</p>
      ) : (
        <ul className="divide-y overflow-hidden rounded-xl border bg-card shadow-xs">
          {events.map((event) => (
            <li key={event.seq} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
              <Timestamp value={event.created_at} format="clock" className="text-muted-foreground text-xs" />
              <Link
                href={`/events?q=${traceId}`}
                className="font-mono text-xs underline-offset-4 hover:underline"
              >
                {event.type}
              </Link>
              <span className="min-w-0 flex-1 truncate text-muted-foreground">{event.summary}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
