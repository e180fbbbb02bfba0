"use client";

import { ErrorNote } from "@/components/data/error-note";
import { type EventLine, EventsLayout, type FoundEvents } from "@/components/events/events-layout";
import { EventsSearchView } from "@/components/events/events-search-view";
import { EventsView } from "@/components/events/events-view";
import type { FilterValues } from "@/lib/client/filters";

/** The filters that the event stream applies itself. With any other filter the log is searched instead. */
const LIVE = ["types", "line", "chat"];

function isLive(values: FilterValues): boolean {
  return Object.keys(values).every((name) => LIVE.includes(name));
}

type EventsScreenProps = {
  found: FoundEvents;
  lines: EventLine[];
  mayManage: boolean;
  /** The `seq` of the newest event when the page was rendered. */
  after: number;
};

/** The account's events: a live log if the stream supports the filters, otherwise a search. */
export function EventsScreen({ after, ...shown }: EventsScreenProps) {
  const { found } = shown;
  if (found.page !== null) {
    if (isLive(found.values)) return <EventsView {...shown} initial={found.page} after={after} />;
    return <EventsSearchView {...shown} initial={found.page} />;
  }
  return (
    <EventsLayout {...shown}>
      {() => (
        <ErrorNote title="These filters are not valid" code={found.refusal?.code}>
          {found.refusal?.message}
        </ErrorNote>
      )}
    </EventsLayout>
  );
}
