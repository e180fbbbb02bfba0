"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { StatusBadge } from "@/components/data/status-badge";
import { Timestamp } from "@/components/data/timestamp";
import type { EventFiltersProps } from "@/components/events/event-filters";
import { EventList } from "@/components/events/event-list";
import { EventsLayout } from "@/components/events/events-layout";
import { KeyHints } from "@/components/events/key-hints";
import { NoEvents } from "@/components/events/no-events";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { EventSearchPage } from "@/lib/events/search-events";

type EventsSearchViewProps = {
  filters: EventFiltersProps;
  mayManage: boolean;
  /** As GET /api/events takes it: fixed while the page is open, so that its pages fit together. */
  query: Record<string, string>;
  initial: EventSearchPage;
};

/** What a search of the log found, and further pages on demand. */
export function EventsSearchView({ filters, mayManage, query, initial }: EventsSearchViewProps) {
  const [page, setPage] = useState(initial);
  const list = useRef<HTMLUListElement>(null);
  const older = useMutation<EventSearchPage, ApiFailure>({
    mutationFn: () => apiFetch(`/api/events${queryString({ ...query, cursor: page.next_cursor })}`),
    onSuccess: (next) => setPage((shown) => ({ ...next, events: [...shown.events, ...next.events] })),
  });
  const back = page.searched_back_to;

  return (
    <EventsLayout
      filters={filters}
      mayManage={mayManage}
      events={page.events}
      list={list}
      status={<StatusBadge kind="stream" value="searched" />}
      hints={<Found page={page} />}
    >
      {(open, onOpen) => (
        <EventList
          list={list}
          events={page.events}
          lines={filters.lines}
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
          empty={<NoEvents narrowed live={false} />}
        />
      )}
    </EventsLayout>
  );
}

function Found({ page: { found } }: { page: EventSearchPage }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <KeyHints live={false} />
      {found && (
        <p className="wrap-anywhere text-muted-foreground text-xs">
          Events of the {found.kind.replaceAll("_", " ")} <span className="font-mono">{found.id}</span>
        </p>
      )}
    </div>
  );
}
