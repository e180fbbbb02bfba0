import type { ReactNode, RefObject } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import { EventRow, type ShownEvent } from "@/components/events/event-row";
import type { EventLine } from "@/components/events/events-layout";
import type { ApiFailure } from "@/lib/client/api-fetch";
import type { EventView } from "@/lib/events/store/event-view";

type EventListProps = {
  list: RefObject<HTMLUListElement | null>;
  events: readonly ShownEvent[];
  lines: EventLine[];
  /** The `seq` of the open event. */
  open: number | null;
  onOpen: (event: EventView) => void;
  hasMore: boolean;
  older: { error: ApiFailure | null; isPending: boolean; mutate: () => void };
  /** Whether rows show failed, stopped and waiting deliveries, as of page load. */
  outcomes?: boolean;
  /** The label of the Load more button. */
  moreLabel?: string;
  /** Above the list. */
  note?: ReactNode;
  /** Below the list, above the Load more button. */
  end?: ReactNode;
  empty: ReactNode;
};

/** The rows of the log, newest first. */
export function EventList({ list, events, lines, open, onOpen, older, ...rest }: EventListProps) {
  const numbers = new Map(lines.map((line) => [line.id, line.phone_number]));
  return (
    <div className="@container min-w-0 overflow-hidden rounded-xl border bg-card shadow-xs">
      {rest.note}
      {events.length === 0 && !rest.hasMore && rest.empty}
      <ul ref={list} aria-label="Events" className="divide-y">
        {events.map((event) => (
          <li key={event.seq}>
            <EventRow
              event={event}
              line={numbers.get(event.line_id ?? "")}
              outcomes={rest.outcomes ?? false}
              selected={open === event.seq}
              onOpen={() => onOpen(event)}
            />
          </li>
        ))}
      </ul>
      {older.error && (
        <ErrorNote
          title="Older events could not be loaded"
          code={older.error.code}
          traceId={older.error.traceId}
          className="m-3 w-auto"
        >
          {older.error.message}
        </ErrorNote>
      )}
      {rest.end}
      <LoadMore
        hasMore={rest.hasMore}
        isLoading={older.isPending}
        onLoadMore={() => older.mutate()}
        label={rest.moreLabel ?? "older events"}
        className="border-t"
      />
    </div>
  );
}
