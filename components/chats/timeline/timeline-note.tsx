import dynamic from "next/dynamic";
import type { TimelineEntry } from "@/components/chats/timeline/timeline-entries";
import { Timestamp } from "@/components/data/time/timestamp";
import { untilLoaded } from "@/components/data/until-loaded";

// Few notes are about a location.
const LocationCard = dynamic(
  () => untilLoaded(async () => (await import("@/components/chats/parts/location-card")).LocationCard),
  { loading: () => null },
);

type TimelineNoteProps = Pick<TimelineEntry, "text" | "by" | "location"> & { at: string };

/** An event between two messages, or an internal note of a colleague. */
export function TimelineNote({ text, by, at, location }: TimelineNoteProps) {
  if (by !== null) return <InternalNote by={by} at={at} text={text} />;
  return (
    <div className="mx-auto flex max-w-full flex-col items-center gap-2 text-balance break-words px-3 py-1 text-center text-muted-foreground text-xs tabular-nums">
      <p>
        {text} · <Timestamp value={at} format="clock" />
      </p>
      {location && <LocationCard location={location} />}
    </div>
  );
}

type InternalNoteProps = { by: string; at: string; text: string };

/** A note that only colleagues see, in the thread. */
function InternalNote({ by, at, text }: InternalNoteProps) {
  return (
    <aside
      aria-label={`Internal note by ${by}`}
      className="mx-auto flex w-full max-w-md flex-col gap-1 rounded-lg border border-warning/50 border-dashed bg-warning/10 px-3 py-2 text-[0.8125rem]"
    >
      <p className="text-muted-foreground text-xs">
        Internal note by {by}, <Timestamp value={at} format="clock" />
      </p>
      <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
    </aside>
  );
}
