"use client";

import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useState } from "react";
import { CsvLink } from "@/components/data/csv-link";
import { FilterBar } from "@/components/list/filter-bar";
import { ListPage } from "@/components/list/list-page";
import { ListTotal } from "@/components/list/list-total";
import { useFilters } from "@/components/list/use-filters";
import { moveFocus, useShortcuts } from "@/components/list/use-shortcuts";
import type { LoadedSearch } from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";
import type { ListNoun, ShownRows } from "@/lib/client/total-text";
import { cn } from "@/lib/cn";
import type { EventNotice } from "@/lib/events/event-notice";
import type { EventSearchPage } from "@/lib/events/search-events";

// Loaded when an event is first opened.
const EventPanel = dynamic(async () => (await import("@/components/events/event-panel")).EventPanel);

export const EVENTS: ListNoun = { one: "event", many: "events" };

const NONE: ShownRows = { rows: 0, hasMore: false, total: null };

export type FoundEvents = LoadedSearch<EventSearchPage>;

export type EventLine = { id: string; phone_number: string };

export type EventsLayoutProps = {
  found: FoundEvents;
  mayManage: boolean;
  events?: readonly EventNotice[];
  list?: RefObject<HTMLUListElement | null>;
  status?: ReactNode;
  actions?: ReactNode;
  hints?: ReactNode;
  /** The events that are loaded, and the total of the first page. */
  shown?: ShownRows;
  onTogglePause?: () => void;
  children: (open: EventNotice | null, onOpen: (event: EventNotice) => void) => ReactNode;
};

/** The Events page: filters, the list, and the open event beside it. */
export function EventsLayout({
  found,
  mayManage,
  events = [],
  list,
  shown = NONE,
  ...page
}: EventsLayoutProps) {
  const [open, setOpen] = useState<EventNotice | null>(null);
  const state = useFilters(found.filters, found.values);

  function move(by: 1 | -1): void {
    const seq = Number(moveFocus(list?.current ?? null, by)?.dataset.seq);
    if (open !== null) setOpen(events.find((event) => event.seq === seq) ?? open);
  }

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    p: () => page.onTogglePause?.(),
    escape: () => setOpen(null),
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
          {shown.rows > 0 && (
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
        {page.children(open, setOpen)}
        {open !== null && <EventPanel event={open} mayManage={mayManage} onClose={() => setOpen(null)} />}
      </div>
    </ListPage>
  );
}
