"use client";

import { MousePointerClick, X } from "lucide-react";
import { useEffect, useState } from "react";
import { EmptyState } from "@/components/data/empty-state";
import { EventDetails } from "@/components/events/event-details";
import { Button } from "@/components/ui/button";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";
import type { EventNotice } from "@/lib/events/event-notice";

const WIDE = "(min-width: 80rem)";

type EventPanelProps = { event: EventNotice | null; onClose: () => void };

/** The open event: beside the log where there is room, else over it. */
export function EventPanel({ event, onClose }: EventPanelProps) {
  const wide = useIsWide();
  if (wide) return <SidePanel event={event} onClose={onClose} />;
  return (
    <Sheet open={event !== null} onOpenChange={(open) => !open && onClose()}>
      <SheetContent
        side="right"
        className="w-full gap-4 overflow-y-auto p-4 sm:max-w-lg"
        aria-describedby={undefined}
      >
        <SheetTitle className="wrap-anywhere pr-8 font-mono text-sm">{event?.type}</SheetTitle>
        {event && <EventDetails event={event} />}
      </SheetContent>
    </Sheet>
  );
}

function SidePanel({ event, onClose }: EventPanelProps) {
  return (
    <aside
      aria-label="Event"
      className="sticky top-[calc(var(--header-height)+1.5rem)] hidden max-h-[calc(100dvh-var(--header-height)-3rem)] min-w-0 overflow-y-auto rounded-xl border bg-card shadow-xs xl:block"
    >
      {event === null ? (
        <EmptyState
          icon={MousePointerClick}
          title="No event is open"
          description="Choose one to see its payload in both versions, and what became of its deliveries."
        />
      ) : (
        <div className="flex flex-col gap-4 p-4">
          <div className="flex items-center justify-between gap-2">
            <h2 className="wrap-anywhere font-medium font-mono text-sm">{event.type}</h2>
            <Button variant="ghost" size="icon-sm" aria-label="Close the event" onClick={onClose}>
              <X />
            </Button>
          </div>
          <EventDetails key={event.seq} event={event} />
        </div>
      )}
    </aside>
  );
}

// Until the browser has been asked the panel is drawn as for a wide screen; CSS hides it on narrow ones.
function useIsWide(): boolean {
  const [wide, setWide] = useState(true);

  useEffect(() => {
    const media = window.matchMedia(WIDE);
    const look = () => setWide(media.matches);
    look();
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);

  return wide;
}
