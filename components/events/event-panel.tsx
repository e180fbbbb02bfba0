"use client";

import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { EventDetails } from "@/components/events/event-details";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";
import type { EventNotice } from "@/lib/events/event-notice";

const WIDE = "(min-width: 80rem)";

type EventPanelProps = { event: EventNotice; mayManage: boolean; onClose: () => void };

/** The open event: beside the log on wide screens, over the log on narrow ones. */
export function EventPanel({ event, mayManage, onClose }: EventPanelProps) {
  if (useIsWide()) return <SidePanel event={event} mayManage={mayManage} onClose={onClose} />;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent
        side="right"
        className="w-full gap-4 overflow-y-auto p-4 sm:max-w-lg"
        aria-describedby={undefined}
        onOpenAutoFocus={focusPanel}
      >
        <SheetTitle className="wrap-anywhere pr-8 font-mono text-sm">{event.type}</SheetTitle>
        <EventDetails key={event.seq} event={event} mayManage={mayManage} />
      </SheetContent>
    </Sheet>
  );
}

// By default the dialog would focus its first element, a timestamp, and so open its tooltip.
function focusPanel(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

function SidePanel({ event, mayManage, onClose }: EventPanelProps) {
  return (
    <aside
      aria-label="Event"
      className="sticky top-[calc(var(--header-height)+1.5rem)] max-h-[calc(100dvh-var(--header-height)-3rem)] min-w-0 overflow-y-auto rounded-xl border bg-card shadow-xs"
    >
      <div className="flex flex-col gap-4 p-4">
        <div className="flex items-center justify-between gap-2">
          <h2 className="wrap-anywhere font-medium font-mono text-sm">{event.type}</h2>
          <Button variant="ghost" size="icon-sm" aria-label="Close event" onClick={onClose}>
            <X />
          </Button>
        </div>
        <EventDetails key={event.seq} event={event} mayManage={mayManage} />
      </div>
    </aside>
  );
}

function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  );
}

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(WIDE);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}
