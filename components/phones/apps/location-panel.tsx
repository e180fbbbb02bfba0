"use client";

import { MapPin } from "lucide-react";
import { useId, useState } from "react";
import { Timestamp } from "@/components/data/time/timestamp";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

const HOUR_SECONDS = 3600;
/** Public places in San Francisco. */
const PLACES = [
  { name: "Ferry Building", longitude: -122.3937, latitude: 37.7955, address: "1 Ferry Building" },
  { name: "Union Square", longitude: -122.4074, latitude: 37.7879, address: "333 Post Street" },
  { name: "City Hall", longitude: -122.4193, latitude: 37.7793, address: "1 Dr Carlton B Goodlett Place" },
  { name: "Palace of Fine Arts", longitude: -122.4485, latitude: 37.8029, address: "3601 Lyon Street" },
] as const;

type LocationPanelProps = { to: string; chat: PhoneChat | null; onDone: () => void };

/** Starts and stops sharing the phone's location with the line, and moves the phone while it shares. */
export function LocationPanel({ to, chat, onDone }: LocationPanelProps) {
  const { requests, run } = useOpenPhone();
  const shared = chat?.location ?? null;
  const here = PLACES.findIndex(({ latitude, longitude }) => isAt(shared, latitude, longitude));
  const [index, setIndex] = useState(Math.max(here, 0));
  const { name: _, ...place } = PLACES[index] ?? PLACES[0];
  const body = { to, position: { ...place, locality: "San Francisco" } };

  async function share(seconds?: number): Promise<void> {
    const request = { ...body, ...(seconds !== undefined && { ends_in_seconds: seconds }) };
    if ((await run(requests.shareLocation(request))) !== null) onDone();
  }

  async function stop(): Promise<void> {
    if ((await run(requests.stopSharing(to))) !== null) onDone();
  }

  return (
    <div className="flex h-full flex-col items-center justify-center gap-2">
      <PlacePicker index={index} onChange={setIndex} />
      {shared === null ? (
        <>
          <Button variant="outline" size="sm" onClick={() => void share(HOUR_SECONDS)}>
            Share for one hour
          </Button>
          <Button variant="outline" size="sm" onClick={() => void share()}>
            Share indefinitely
          </Button>
        </>
      ) : (
        <>
          <SharedLocation location={shared} />
          <Button
            variant="outline"
            size="sm"
            disabled={here === index}
            onClick={() => void run(requests.moveLocation(body))}
          >
            Move here
          </Button>
          <Button variant="ghost" size="sm" onClick={() => void stop()}>
            Stop sharing
          </Button>
        </>
      )}
    </div>
  );
}

type Location = NonNullable<PhoneChat["location"]>;

function isAt(location: Location | null, latitude: number, longitude: number): boolean {
  return location?.latitude === latitude && location.longitude === longitude;
}

function PlacePicker({ index, onChange }: { index: number; onChange: (index: number) => void }) {
  const id = useId();
  return (
    <div className="flex items-center gap-1.5 text-xs">
      <label htmlFor={id} className="flex items-center gap-1 text-muted-foreground">
        <MapPin className="size-3.5" aria-hidden="true" />
        Place
      </label>
      <select
        id={id}
        value={index}
        className="h-7 rounded-md border border-input bg-background px-1.5"
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {PLACES.map(({ name }, at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The location that the line currently receives. */
function SharedLocation({ location: { address, latitude, longitude, ends_at } }: { location: Location }) {
  const where = address ?? (latitude === null ? "a location" : `${latitude}, ${longitude}`);
  return (
    <p role="status" className="text-center text-muted-foreground text-xs">
      Sharing {where}
      {ends_at !== null && (
        <>
          {" until "}
          <Timestamp value={ends_at} format="clock" />
        </>
      )}
    </p>
  );
}
