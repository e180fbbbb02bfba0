import { Radio } from "lucide-react";
import type { RefObject } from "react";
import { EmptyState } from "@/components/data/empty-state";
import { ErrorNote } from "@/components/data/error-note";
import { LoadMore } from "@/components/data/load-more";
import type { EventLog } from "@/components/events/event-log";
import { EventRow } from "@/components/events/event-row";
import type { useEventLog } from "@/components/events/use-event-log";
import { Button } from "@/components/ui/button";
import type { EventNotice } from "@/lib/events/event-notice";
import type { Line } from "@/lib/lines/line";

type EventListProps = {
  list: RefObject<HTMLUListElement | null>;
  log: EventLog;
  older: ReturnType<typeof useEventLog>["older"];
  lines: Line[];
  open: EventNotice | null;
  onOpen: (event: EventNotice) => void;
  onResume: () => void;
  filtered: boolean;
};

/** The lines of the log, the newest first, and those that wait while it is paused. */
export function EventList({ list, log, older, lines, open, onOpen, onResume, filtered }: EventListProps) {
  const numbers = new Map(lines.map((line) => [line.id, line.phone_number]));
  return (
    <div className="min-w-0 overflow-hidden rounded-xl border bg-card shadow-xs">
      {log.paused && <WaitingNote count={log.waiting.length} onResume={onResume} />}
      {log.events.length === 0 && <NoEvents filtered={filtered} />}
      <ul ref={list} aria-label="Events" className="divide-y">
        {log.events.map((event) => (
          <li key={event.seq}>
            <EventRow
              event={event}
              line={numbers.get(event.line_id ?? "")}
              selected={open?.seq === event.seq}
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
      <LoadMore
        hasMore={log.cursor !== null}
        isLoading={older.isPending}
        onLoadMore={() => older.mutate()}
        label="older events"
        className="border-t"
      />
    </div>
  );
}

function WaitingNote({ count, onResume }: { count: number; onResume: () => void }) {
  return (
    <div className="flex items-center justify-between gap-3 border-b bg-muted/60 px-4 py-2">
      <p role="status" className="text-muted-foreground text-xs tabular-nums">
        {count === 1 ? "1 event has" : `${count} events have`} come since the pause
      </p>
      <Button variant="outline" size="xs" onClick={onResume}>
        Show
      </Button>
    </div>
  );
}

function NoEvents({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState
      icon={Radio}
      title={filtered ? "No such event yet" : "Nothing has happened yet"}
      description={
        filtered
          ? "It will appear here when it happens. Choose all types and all lines to see everything."
          : "Send a message, or let a phone write to a line: what happens appears here at once."
      }
    />
  );
}
