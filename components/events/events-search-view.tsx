"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import { EventList } from "@/components/events/event-list";
import { type EventLine, EventsLayout, type FoundEvents } from "@/components/events/events-layout";
import { NoEventMatches } from "@/components/events/no-events";
import { KeyHints } from "@/components/list/key-hints";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventSearchPage } from "@/lib/events/search-events";

type EventsSearchViewProps = {
  found: FoundEvents;
  initial: EventSearchPage;
  lines: EventLine[];
  mayManage: boolean;
};

/** The results of an event search, with further pages on demand. */
export function EventsSearchView({ found, initial, lines, mayManage }: EventsSearchViewProps) {
  const [page, setPage] = useState(initial);
  const list = useRef<HTMLUListElement>(null);
  const older = useMutation<EventSearchPage, ApiFailure>({
    mutationFn: () => apiFetch(`/api/events${queryString({ ...found.query, cursor: page.next_cursor })}`),
    onSuccess: (next) => setPage((shown) => ({ ...next, events: [...shown.events, ...next.events] })),
  });
  const back = page.searched_back_to;

  return (
    <EventsLayout
      found={found}
      mayManage={mayManage}
      events={page.events}
      list={list}
      status={<StatusBadge kind="stream" value="searched" />}
      hints={<Found page={page} />}
      shown={{ rows: page.events.length, hasMore: page.next_cursor !== null, total: initial.total }}
    >
      {(open, onOpen) => (
        <EventList
          list={list}
          events={page.events}
          lines={lines}
          open={open}
          onOpen={onOpen}
          hasMore={page.next_cursor !== null}
          older={older}
          outcomes
          moreLabel={back === null ? "older events" : "more: continue the search"}
          end={
            back !== null && (
              <p role="status" className="border-t px-4 py-2.5 text-center text-muted-foreground text-xs">
                Searched back to <Timestamp value={back} format="moment" />.
              </p>
            )
          }
          empty={<NoEventMatches found={found} />}
        />
      )}
    </EventsLayout>
  );
}

function Found({ page: { found } }: { page: EventSearchPage }) {
  return (
    <>
      <KeyHints />
      {found && (
        <p className="wrap-anywhere text-muted-foreground text-xs">
          Events of the {found.kind.replaceAll("_", " ")} <span className="font-mono">{found.id}</span>
        </p>
      )}
    </>
  );
}
