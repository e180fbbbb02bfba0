import { MapPin } from "lucide-react";
import { formatCoordinates } from "@/components/chats/parts/format-coordinates";
import { Timestamp } from "@/components/data/time/timestamp";
import type { ChatNote } from "@/lib/messaging/team/chat-note";

/** The lines of the sketch, in the units of its view box. */
const GRID = [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220];

type LocationCardProps = { location: NonNullable<ChatNote["location"]> };

/**
 * A shared position as a card: a sketch with its meridian and parallel, the place and the coordinates, which open the
 * device's maps. The sketch is drawn here, so no map service learns the position.
 */
export function LocationCard({ location }: LocationCardProps) {
  const { latitude, longitude, place, at } = location;
  const coordinates = formatCoordinates(latitude, longitude);
  return (
    <figure className="flex w-64 max-w-full flex-col overflow-hidden rounded-lg border bg-card text-left text-card-foreground">
      <svg viewBox="0 0 240 96" role="img" aria-label={`Sketch of ${coordinates}`} className="bg-info/10">
        {GRID.map((x) => (
          <line key={`x${x}`} x1={x} y1="0" x2={x} y2="96" className="stroke-border" strokeWidth="0.75" />
        ))}
        {GRID.slice(0, 4).map((y) => (
          <line key={`y${y}`} x1="0" y1={y} x2="240" y2={y} className="stroke-border" strokeWidth="0.75" />
        ))}
        <line
          x1="120"
          y1="0"
          x2="120"
          y2="96"
          className="stroke-info"
          strokeWidth="1"
          strokeDasharray="3 3"
        />
        <line x1="0" y1="48" x2="240" y2="48" className="stroke-info" strokeWidth="1" strokeDasharray="3 3" />
        <circle cx="120" cy="48" r="14" className="fill-info/20" />
        <circle cx="120" cy="48" r="5" className="fill-info stroke-card" strokeWidth="1.5" />
      </svg>
      <figcaption className="flex flex-col gap-0.5 px-3 py-2 text-xs">
        {place !== null && <span className="wrap-anywhere font-medium">{place}</span>}
        <a
          href={`geo:${latitude},${longitude}`}
          className="inline-flex min-h-6 items-center gap-1 underline underline-offset-4"
        >
          <MapPin className="size-3.5 shrink-0" aria-hidden="true" />
          {coordinates}
        </a>
        {at !== null && (
          <span className="text-muted-foreground">
            Updated <Timestamp value={at} format="moment" />
          </span>
        )}
      </figcaption>
    </figure>
  );
}
