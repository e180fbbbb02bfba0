"use client";

import dynamic from "next/dynamic";
import type { ReactNode, RefObject } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { untilLoaded } from "@/components/data/until-loaded";
import { FilterBar } from "@/components/list/filter-bar";
import { ListPage } from "@/components/list/list-page";
import { ListTotal } from "@/components/list/list-total";
import { useFilters } from "@/components/list/use-filters";
import { useOpenRow } from "@/components/list/use-open-row";
import { moveFocus, useShortcuts } from "@/components/list/use-shortcuts";
import type { LoadedSearch } from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import type { ListNoun, ShownRows } from "@/lib/client/total-text";
import { cn } from "@/lib/cn";
import type { EventSearchPage } from "@/lib/events/search/list-event-views";
import type { EventView } from "@/lib/events/store/event-view";

// Loaded when an event is first opened.
const EventPanel = dynamic(
  () => untilLoaded(async () => (await import("@/components/events/event-panel")).EventPanel),
  {
    loading: () => null,
  },
);

export const EVENTS: ListNoun = { one: "event", many: "events" };

const SEQ = /^\d{1,15}$/;

export type FoundEvents = LoadedSearch<EventSearchPage>;

export type EventLine = { id: string; phone_number: string };

export type EventsLayoutProps = {
  found: FoundEvents;
  mayManage: boolean;
  events: readonly EventView[];
  list: RefObject<HTMLUListElement | null>;
  status: ReactNode;
  actions: ReactNode;
  hints: ReactNode;
  /** The events that are loaded, and the total of the first page; null if the search is not valid. */
  shown: ShownRows | null;
  onTogglePause: () => void;
  /** `open` is the `seq` of the open event. */
  children: (open: number | null, onOpen: (event: EventView) => void) => ReactNode;
};

/** The Events page: filters, the list, and beside it the open event, whose `seq` is in the address. */
export function EventsLayout({ found, mayManage, events, list, shown, ...page }: EventsLayoutProps) {
  const row = useOpenRow();
  const open = row.open !== null && SEQ.test(row.open) ? Number(row.open) : null;
  const state = useFilters(found.filters, found.values);

  function move(by: 1 | -1): void {
    const seq = moveFocus(list.current, by)?.dataset.seq;
    if (open !== null && seq !== undefined) row.show(seq);
  }

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    p: () => page.onTogglePause(),
    escape: () => open !== null && row.close(),
  });

  return (
    <ListPage
      title="Events"
      description="A live log of every event in this account. Webhooks deliver the same events."
      status={page.status}
      actions={page.actions}
    >
      <div className="flex flex-col gap-2">
        <FilterBar label="Events" state={state} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {page.hints}
          {shown !== null && shown.rows > 0 && (
            <>
              <ListTotal noun={EVENTS} {...shown} />
              <CsvLink href={`${found.api}/csv${queryString(found.query)}`} />
            </>
          )}
        </div>
      </div>
      <div
        className={cn(
          "grid min-w-0 items-start gap-6",
          open !== null && "xl:grid-cols-[minmax(0,1fr)_minmax(26rem,34rem)]",
        )}
      >
        {page.children(open, ({ seq }) => row.show(String(seq)))}
        {open !== null && (
          <EventPanel
            seq={open}
            listed={events.find((event) => event.seq === open)}
            mayManage={mayManage}
            onClose={row.close}
          />
        )}
      </div>
    </ListPage>
  );
}
