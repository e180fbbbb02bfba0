"use client";

import { X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { EventDetails, useEvent } from "@/components/events/event-details";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";
import type { EventView } from "@/lib/events/store/event-view";

const WIDE = "(min-width: 80rem)";

type EventPanelProps = {
  seq: number;
  /** The event as the list shows it; undefined if the list does not contain it. */
  listed: EventView | undefined;
  mayManage: boolean;
  onClose: () => void;
};

/** The open event: beside the log on wide screens, over the log on narrow ones. */
export function EventPanel({ seq, listed, mayManage, onClose }: EventPanelProps) {
  const { data } = useEvent(seq);
  const title = (listed ?? data?.event)?.type ?? "Event";
  const details = <EventDetails key={seq} seq={seq} listed={listed} mayManage={mayManage} />;
  const isWide = useIsWide();
  if (isWide) return <SidePanel title={title} onClose={onClose} details={details} />;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent
        side="right"
        className="w-full gap-4 overflow-y-auto p-4 sm:max-w-lg"
        aria-describedby={undefined}
        onOpenAutoFocus={focusPanel}
      >
        <SheetTitle className="wrap-anywhere pr-8 font-mono text-sm">{title}</SheetTitle>
        {details}
      </SheetContent>
    </Sheet>
  );
}

// By default the dialog would focus its first element, a timestamp, and so open its tooltip.
function focusPanel(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

type SidePanelProps = { title: string; details: ReactNode; onClose: () => void };

function SidePanel({ title, details, onClose }: SidePanelProps) {
  return (
    <aside
      aria-label="Event"
      className="sticky top-[calc(var(--header-height)+1.5rem)] max-h-[calc(100dvh-var(--header-height)-3rem)] min-w-0 overflow-y-auto rounded-xl border bg-card shadow-xs"
    >
      <div className="flex flex-col gap-4 p-4">
        <div className="flex items-center justify-between gap-2">
          <h2 className="wrap-anywhere font-medium font-mono text-sm">{title}</h2>
          <Button variant="ghost" size="icon-sm" aria-label="Close event" onClick={onClose}>
            <X />
          </Button>
        </div>
        {details}
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
