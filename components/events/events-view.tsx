"use client";

import { Pause, Play } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { PageHeader } from "@/components/data/page-header";
import { EventFilters } from "@/components/events/event-filters";
import { EventList } from "@/components/events/event-list";
import { EventPanel } from "@/components/events/event-panel";
import { StreamBadge } from "@/components/events/stream-badge";
import { type EventPage, type LogFilter, useEventLog } from "@/components/events/use-event-log";
import { useLogKeys } from "@/components/events/use-log-keys";
import { PageBody } from "@/components/shell/page-body";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { cn } from "@/lib/cn";
import type { EventNotice } from "@/lib/events/event-notice";
import type { Line } from "@/lib/lines/line";

type EventsViewProps = {
  filter: LogFilter;
  initial: EventPage;
  /** From where the stream goes on. */
  after: number;
  types: string[];
  lines: Line[];
};

/** The live log: every event of the account as it happens. */
export function EventsView({ filter, initial, after, types, lines }: EventsViewProps) {
  const { log, act, status, older } = useEventLog(filter, initial, after);
  const [open, setOpen] = useState<EventNotice | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const togglePause = () => act({ do: log.paused ? "resume" : "pause" });
  useLogKeys({
    onMove: (by) => {
      const seq = moveFocus(list.current, by);
      if (open !== null) setOpen(log.events.find((event) => event.seq === seq) ?? open);
    },
    onClose: () => setOpen(null),
    onTogglePause: togglePause,
  });

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Events"
        description="Everything that happens in the account, as it happens. Webhooks post the same."
        status={<StreamBadge status={status} paused={log.paused} />}
        actions={
          <Button variant="outline" onClick={togglePause}>
            {log.paused ? <Play /> : <Pause />}
            {log.paused ? "Resume" : "Pause"}
          </Button>
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <EventFilters filter={filter} types={types} lines={lines} />
        <KeyHints />
      </div>
      <div
        className={cn(
          "grid min-w-0 items-start gap-6",
          open !== null && "xl:grid-cols-[minmax(0,1fr)_minmax(26rem,34rem)]",
        )}
      >
        <EventList
          list={list}
          log={log}
          older={older}
          lines={lines}
          open={open}
          onOpen={setOpen}
          onResume={togglePause}
          filtered={filter.type !== null || filter.line !== null}
        />
        {open !== null && <EventPanel event={open} onClose={() => setOpen(null)} />}
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

function KeyHints(): ReactNode {
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs pointer-coarse:hidden max-sm:hidden">
      <Kbd>J</Kbd>
      <Kbd>K</Kbd> walk, <Kbd>Enter</Kbd> open, <Kbd>P</Kbd> pause
    </p>
  );
}
