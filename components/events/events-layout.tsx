"use client";

import { type ReactNode, type RefObject, useState } from "react";
import { EventPanel } from "@/components/events/event-panel";
import { FilterBar } from "@/components/list/filter-bar";
import { ListPage } from "@/components/list/list-page";
import { useFilters } from "@/components/list/use-filters";
import { moveFocus, useShortcuts } from "@/components/list/use-shortcuts";
import type { LoadedSearch } from "@/lib/client/filters";
import { cn } from "@/lib/cn";
import type { EventNotice } from "@/lib/events/event-notice";
import type { EventSearchPage } from "@/lib/events/search-events";

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
  onTogglePause?: () => void;
  children: (open: EventNotice | null, onOpen: (event: EventNotice) => void) => ReactNode;
};

/** The Events page: filters, the list, and the open event beside it. */
export function EventsLayout({ found, mayManage, events = [], list, ...page }: EventsLayoutProps) {
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
        {page.hints}
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
