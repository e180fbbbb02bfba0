"use client";

import { Pause, Play } from "lucide-react";
import { useRef } from "react";
import { EventList } from "@/components/events/event-list";
import { type EventLine, EventsLayout, type FoundEvents } from "@/components/events/events-layout";
import { NoEventMatches, NoEvents } from "@/components/events/no-events";
import { StreamBadge } from "@/components/events/stream-badge";
import { useEventLog } from "@/components/events/use-event-log";
import { WaitingNote } from "@/components/events/waiting-note";
import { KeyHints } from "@/components/list/key-hints";
import { Button } from "@/components/ui/button";
import type { EventSearchPage } from "@/lib/events/search-events";

type EventsViewProps = {
  found: FoundEvents;
  initial: EventSearchPage;
  lines: EventLine[];
  mayManage: boolean;
  /** The `seq` of the newest event when the page was rendered. */
  after: number;
};

/** The live log of the account's events. */
export function EventsView({ found, initial, lines, mayManage, after }: EventsViewProps) {
  const { log, act, status, older } = useEventLog(found.query, initial, after);
  const list = useRef<HTMLUListElement>(null);
  const togglePause = () => act({ type: log.paused ? "resume" : "pause" });

  return (
    <EventsLayout
      found={found}
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
      hints={<KeyHints canPause />}
      shown={{
        rows: log.events.length,
        hasMore: log.cursor !== null,
        total: liveTotal(initial, log.events, after),
      }}
      onTogglePause={togglePause}
    >
      {(open, onOpen) => (
        <EventList
          list={list}
          events={log.events}
          lines={lines}
          open={open}
          onOpen={onOpen}
          hasMore={log.cursor !== null}
          older={older}
          note={log.paused && <WaitingNote count={log.waiting.length} onResume={togglePause} />}
          empty={Object.keys(found.query).length > 0 ? <NoEventMatches found={found} /> : <NoEvents />}
        />
      )}
    </EventsLayout>
  );
}

/** The total of the first page and the events that have arrived since. */
function liveTotal({ total }: EventSearchPage, events: readonly { seq: number }[], after: number) {
  const arrived = events.filter(({ seq }) => seq > after).length;
  return total && { ...total, count: total.count + arrived };
}
