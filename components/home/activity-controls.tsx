"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { useNow } from "@/components/data/clock";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { queryString } from "@/lib/client/query-string";
import type { ActivityRange } from "@/lib/events/activity-range";

const RANGES: Record<ActivityRange, string> = {
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
};

const ZONES = [
  "UTC",
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Sydney",
];

type ActivityControlsProps = { range: ActivityRange; zone: string };

/** The range and the time zone of the figures, both stored in the page's URL. */
export function ActivityControls({ range, zone }: ActivityControlsProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const { hydrated } = useNow();
  const own = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const zones = [...new Set([zone, own, ...ZONES])];

  function show(next: Partial<ActivityControlsProps>): void {
    const { range: nextRange, zone: nextZone } = { range, zone, ...next };
    const query = queryString({
      range: nextRange === "24h" ? undefined : nextRange,
      zone: nextZone === "UTC" ? undefined : nextZone,
    });
    startTransition(() => router.replace(`/${query}`, { scroll: false }));
  }

  return (
    <div aria-busy={isPending} className="flex flex-wrap items-center gap-2 aria-busy:opacity-70">
      <Select value={range} onValueChange={(value) => show({ range: value as ActivityRange })}>
        <SelectTrigger size="sm" aria-label="Range">
          <SelectValue>{RANGES[range]}</SelectValue>
        </SelectTrigger>
        <SelectContent>
          {Object.entries(RANGES).map(([value, label]) => (
            <SelectItem key={value} value={value}>
              {label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <Select value={zone} onValueChange={(value) => show({ zone: value })}>
        <SelectTrigger size="sm" aria-label="Time zone">
          <SelectValue>{nameOf(zone)}</SelectValue>
        </SelectTrigger>
        <SelectContent>
          {zones.map((value) => (
            <SelectItem key={value} value={value}>
              {nameOf(value)}
              {value === own && value !== "UTC" && " (yours)"}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}

function nameOf(zone: string): string {
  return zone.replaceAll("_", " ");
}
