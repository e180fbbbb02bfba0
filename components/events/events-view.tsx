"use client";

import { Pause, Play } from "lucide-react";
import { useRef } from "react";
import type { EventFiltersProps } from "@/components/events/event-filters";
import { EventList } from "@/components/events/event-list";
import { EventsLayout } from "@/components/events/events-layout";
import { KeyHints } from "@/components/events/key-hints";
import { NoEvents } from "@/components/events/no-events";
import { StreamBadge } from "@/components/events/stream-badge";
import { useEventLog } from "@/components/events/use-event-log";
import { WaitingNote } from "@/components/events/waiting-note";
import { Button } from "@/components/ui/button";
import type { EventNotice } from "@/lib/events/event-notice";

type EventsViewProps = {
  filters: EventFiltersProps;
  mayManage: boolean;
  /** As GET /api/events takes it. */
  query: Record<string, string>;
  initial: { events: EventNotice[]; next_cursor: string | null };
  /** From where the stream goes on. */
  after: number;
};

/** The live log: every event of the account as it happens. */
export function EventsView({ filters, mayManage, query, initial, after }: EventsViewProps) {
  const { log, act, status, older } = useEventLog(query, initial, after);
  const list = useRef<HTMLUListElement>(null);
  const togglePause = () => act({ do: log.paused ? "resume" : "pause" });

  return (
    <EventsLayout
      filters={filters}
      mayManage={mayManage}
      events={log.events}
      list={list}
      status={<StreamBadge status={status} paused={log.paused} />}
      actions={
        <Button variant="outline" onClick={togglePause}>
          {log.paused ? <Play /> : <Pause />}
          {log.paused ? "Resume" : "Pause"}
        </Button>
      }
      hints={<KeyHints live />}
      onTogglePause={togglePause}
    >
      {(open, onOpen) => (
        <EventList
          list={list}
          events={log.events}
          lines={filters.lines}
          open={open}
          onOpen={onOpen}
          hasMore={log.cursor !== null}
          older={older}
          note={log.paused && <WaitingNote count={log.waiting.length} onResume={togglePause} />}
          empty={<NoEvents narrowed={Object.keys(query).length > 0} live />}
        />
      )}
    </EventsLayout>
  );
}
