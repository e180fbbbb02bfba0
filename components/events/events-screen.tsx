"use client";

import { Pause, Play } from "lucide-react";
import { useRef } from "react";
import { ErrorNote } from "@/components/data/error-note";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/time/timestamp";
import { EventList } from "@/components/events/event-list";
import type { EventLog } from "@/components/events/event-log";
import { type EventLine, EventsLayout, type FoundEvents } from "@/components/events/events-layout";
import { NoEventMatches, NoEvents } from "@/components/events/no-events";
import { StreamBadge } from "@/components/events/stream-badge";
import { useEventLog } from "@/components/events/use-event-log";
import { WaitingNote } from "@/components/events/waiting-note";
import { KeyHints } from "@/components/list/key-hints";
import { Button } from "@/components/ui/button";
import type { FilterValues } from "@/lib/client/filters";
import type { StreamStatus } from "@/lib/client/follow-events";
import type { EventSearchPage } from "@/lib/events/search/list-event-views";

/** The filters that the event stream applies itself. With any other filter the log is searched instead. */
const LIVE = ["types", "line", "chat"];
const NO_EVENTS = { events: [], next_cursor: null };

function canStream(values: FilterValues): boolean {
  return Object.keys(values).every((name) => LIVE.includes(name));
}

type EventsScreenProps = {
  found: FoundEvents;
  lines: EventLine[];
  mayManage: boolean;
  /** The `seq` of the newest event when the page was rendered. */
  after: number;
};

/** The account's events: a live log if the stream supports the filters, otherwise a search with pages on demand. */
export function EventsScreen({ found, lines, mayManage, after }: EventsScreenProps) {
  const { id, query, page } = found;
  const isLive = page !== null && canStream(found.values);
  const { log, act, status, older } = useEventLog({ id, query, page: page ?? NO_EVENTS, isLive, after });
  const list = useRef<HTMLUListElement>(null);
  const hasMore = log.cursor !== null;
  const togglePause = () => act({ type: log.paused ? "resume" : "pause" });
  const total = isLive ? liveTotal(page, log, after) : page?.total;
  const shown = page && { rows: log.events.length, hasMore, total };

  return (
    <EventsLayout
      found={found}
      mayManage={mayManage}
      events={log.events}
      list={list}
      status={page && <Status isLive={isLive} stream={status} isPaused={log.paused} />}
      actions={isLive && <PauseButton isPaused={log.paused} onToggle={togglePause} />}
      hints={page && <Hints isLive={isLive} page={page} />}
      shown={shown}
      onTogglePause={() => isLive && togglePause()}
    >
      {(open, onOpen) =>
        page === null ? (
          <ErrorNote title="These filters are not valid" code={found.refusal?.code}>
            {found.refusal?.message}
          </ErrorNote>
        ) : (
          <EventList
            list={list}
            events={log.events}
            lines={lines}
            open={open}
            onOpen={onOpen}
            hasMore={hasMore}
            older={older}
            outcomes={!isLive}
            moreLabel={log.searchedBackTo === null ? "older events" : "more: continue the search"}
            note={log.paused && <WaitingNote count={log.waiting.length} onResume={togglePause} />}
            end={log.searchedBackTo !== null && <SearchedBackTo time={log.searchedBackTo} />}
            empty={Object.keys(query).length > 0 ? <NoEventMatches found={found} /> : <NoEvents />}
          />
        )
      }
    </EventsLayout>
  );
}

type StatusProps = { isLive: boolean; stream: StreamStatus; isPaused: boolean };

function Status({ isLive, stream, isPaused }: StatusProps) {
  if (!isLive) return <StatusBadge kind="stream" value="searched" />;
  return <StreamBadge status={stream} paused={isPaused} />;
}

function PauseButton({ isPaused, onToggle }: { isPaused: boolean; onToggle: () => void }) {
  return (
    <Button variant="outline" onClick={onToggle}>
      {isPaused ? <Play /> : <Pause />}
      {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}

function Hints({ isLive, page: { found } }: { isLive: boolean; page: EventSearchPage }) {
  return (
    <>
      <KeyHints canPause={isLive} />
      {found && (
        <p className="wrap-anywhere text-muted-foreground text-xs">
          Events of the {found.kind.replaceAll("_", " ")} <span className="font-mono">{found.id}</span>
        </p>
      )}
    </>
  );
}

function SearchedBackTo({ time }: { time: string }) {
  return (
    <p role="status" className="border-t px-4 py-2.5 text-center text-muted-foreground text-xs">
      Searched back to <Timestamp value={time} format="moment" />.
    </p>
  );
}

/** The total of the first page and the events that have arrived since. */
function liveTotal({ total }: EventSearchPage, { events }: EventLog, after: number) {
  const arrived = events.filter(({ seq }) => seq > after).length;
  return total && { ...total, count: total.count + arrived };
}
