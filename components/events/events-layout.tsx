"use client";

import { type ReactNode, type RefObject, useState } from "react";
import { PageHeader } from "@/components/data/page-header";
import { EventFilters, type EventFiltersProps } from "@/components/events/event-filters";
import { EventPanel } from "@/components/events/event-panel";
import { useLogKeys } from "@/components/events/use-log-keys";
import { PageBody } from "@/components/shell/page-body";
import { cn } from "@/lib/cn";
import type { EventNotice } from "@/lib/events/event-notice";

export type EventsLayoutProps = {
  filters: EventFiltersProps;
  mayManage: boolean;
  events: readonly EventNotice[];
  list: RefObject<HTMLUListElement | null>;
  status?: ReactNode;
  actions?: ReactNode;
  hints: ReactNode;
  onTogglePause?: () => void;
  children: (open: EventNotice | null, onOpen: (event: EventNotice) => void) => ReactNode;
};

/** The page of events: filters, the list, and beside it the event that is open. */
export function EventsLayout({ filters, mayManage, events, list, ...page }: EventsLayoutProps) {
  const [open, setOpen] = useState<EventNotice | null>(null);
  useLogKeys({
    onMove: (by) => {
      const seq = moveFocus(list.current, by);
      if (open !== null) setOpen(events.find((event) => event.seq === seq) ?? open);
    },
    onClose: () => setOpen(null),
    onTogglePause: () => page.onTogglePause?.(),
  });

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Events"
        description="Everything that happens in the account, as it happens. Webhooks post the same."
        status={page.status}
        actions={page.actions}
      />
      <div className="flex flex-col gap-2">
        <EventFilters {...filters} />
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
    </PageBody>
  );
}

/** Moves the focus from the row that has it, or else is open, and returns the number of the row's event. */
function moveFocus(list: HTMLUListElement | null, by: 1 | -1): number {
  const rows = [...(list?.querySelectorAll("button") ?? [])];
  const focused = rows.findIndex((row) => row.matches(":focus"));
  const place = focused === -1 ? rows.findIndex((row) => row.ariaCurrent === "true") : focused;
  const next = rows[place === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, place + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return Number(next?.dataset.seq);
}
