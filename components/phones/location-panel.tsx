"use client";

import { MapPin } from "lucide-react";
import { useOpenPhone } from "@/components/phones/phone-context";
import { Button } from "@/components/ui/button";
import type { PhoneChat } from "@/lib/simulator/phone-view";

const HOUR_SECONDS = 3600;
/** A public place in San Francisco. */
const POSITION = {
  longitude: -122.3937,
  latitude: 37.7955,
  address: "1 Ferry Building",
  locality: "San Francisco",
};

type LocationPanelProps = { to: string; chat: PhoneChat | null; onDone: () => void };

/** Starts and stops sharing the phone's location with the line. */
export function LocationPanel({ to, chat, onDone }: LocationPanelProps) {
  const { requests, run } = useOpenPhone();

  async function share(seconds?: number): Promise<void> {
    const body = { to, position: POSITION, ...(seconds !== undefined && { ends_in_seconds: seconds }) };
    if ((await run(requests.shareLocation(body))) !== null) onDone();
  }

  async function stop(): Promise<void> {
    if ((await run(requests.stopSharing(to))) !== null) onDone();
  }

  return (
    <div className="flex h-full flex-col items-center justify-center gap-2">
      <p className="flex items-center gap-1.5 pb-1 text-muted-foreground text-xs">
        <MapPin className="size-3.5" aria-hidden="true" />
        {POSITION.address}, {POSITION.locality}
      </p>
      <Button variant="outline" size="sm" onClick={() => void share(HOUR_SECONDS)}>
        Share for one hour
      </Button>
      <Button variant="outline" size="sm" onClick={() => void share()}>
        Share indefinitely
      </Button>
      <Button variant="ghost" size="sm" disabled={chat === null} onClick={() => void stop()}>
        Stop sharing
      </Button>
    </div>
  );
}
