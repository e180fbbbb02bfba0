import { Grouped } from "@/components/data/grouped";
import { EventTime } from "@/components/events/event-time";
import { EventType } from "@/components/events/event-type";
import { useEventCustomer } from "@/components/events/use-event-customer";
import { LineName } from "@/components/lines/line-name";
import { cn } from "@/lib/cn";
import type { EventView } from "@/lib/events/store/event-view";

/** An event in the log. Search results include counts of undelivered deliveries. */
export type ShownEvent = EventView & { deliveries?: { waiting: number; stopped: number; failed: number } };

type EventRowProps = {
  event: ShownEvent;
  /** The phone number of the event's line, if it has one. */
  line: string | undefined;
  outcomes: boolean;
  selected: boolean;
  onOpen: () => void;
};

/** A row of the log: the customer on the left, the line on the right. */
export function EventRow({ event, line, outcomes, selected, onOpen }: EventRowProps) {
  const customer = useEventCustomer(event, line);
  return (
    <button
      type="button"
      data-row=""
      data-seq={event.seq}
      aria-current={selected ? "true" : undefined}
      onClick={onOpen}
      className={cn(
        "relative grid w-full grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-left hover:bg-muted/70 focus-visible:-outline-offset-2 sm:grid-cols-[auto_minmax(7rem,11.5rem)_minmax(0,1fr)_auto]",
        "before:absolute before:inset-y-1.5 before:left-0 before:w-0.5 before:rounded-r-full",
        selected && "bg-accent before:bg-brand hover:bg-accent",
      )}
    >
      <EventTime value={event.created_at} />
      <EventType type={event.type} />
      <span className="truncate text-[0.8125rem] max-sm:col-start-2">
        {customer && (
          <bdi className="text-muted-foreground tabular-nums">
            <Grouped>{customer}</Grouped>{" "}
          </bdi>
        )}
        <Grouped>{event.summary}</Grouped>
      </span>
      <span className="flex gap-2 whitespace-nowrap text-muted-foreground text-xs tabular-nums max-sm:col-start-2">
        {outcomes && <Undelivered event={event} />}
        {line && <LineName number={line} className="@max-2xl:hidden" />}
      </span>
    </button>
  );
}

function Undelivered({ event: { deliveries } }: { event: ShownEvent }) {
  return (
    <>
      {deliveries !== undefined && deliveries.failed > 0 && (
        <span className="text-destructive-text">{deliveries.failed} failed</span>
      )}
      {deliveries !== undefined && deliveries.stopped > 0 && (
        <span className="text-destructive-text">{deliveries.stopped} stopped</span>
      )}
      {deliveries !== undefined && deliveries.waiting > 0 && <span>{deliveries.waiting} waiting</span>}
    </>
  );
}
