"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { FilterSelect } from "@/components/data/fields/filter-select";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { useNow } from "@/components/data/time/clock";
import { zoneCookie } from "@/components/home/zone-cookie";
import { lineChoices } from "@/lib/client/line-text";
import { queryString } from "@/lib/client/query-string";
import { useUrlValues } from "@/lib/client/use-url-values";
import type { ActivityRange } from "@/lib/events/activity/activity-range";
import type { Line } from "@/lib/lines/lines/line";

const RANGES: readonly { value: ActivityRange; label: string }[] = [
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
];

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

type Shown = { range: ActivityRange; zone: string; line: string | undefined };

type ActivityControlsProps = Shown & {
  /** The time zone that the server used for a page whose URL names none. */
  ownZone: string;
  /** The lines that can be chosen. */
  lines: readonly Pick<Line, "id" | "label" | "phone_number">[];
};

/** The line, the range and the time zone of the figures, stored in the page's URL. */
export function ActivityControls({ ownZone, lines, ...loaded }: ActivityControlsProps) {
  const { values, isPending, show } = useUrlValues<Shown>(loaded, (shown) => hrefOf(shown, ownZone));
  const { range, zone, line } = values;
  const { hydrated } = useNow();
  const browserZone = hydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  const zones = [...new Set([zone, browserZone, ...ZONES])];
  useZoneCookie(ownZone);

  return (
    <div aria-busy={isPending} className="flex flex-wrap items-center gap-2 aria-busy:opacity-70">
      {lines.length > 0 && (
        <FilterSelect
          name="Line"
          all="All lines"
          value={line}
          options={lineChoices(lines)}
          onChange={(chosen) => show({ ...values, line: chosen })}
        />
      )}
      <LazySelect
        label="Range"
        size="sm"
        value={range}
        options={RANGES}
        onChange={(value) => show({ ...values, range: toRange(value) })}
      />
      <LazySelect
        label="Time zone"
        size="sm"
        value={zone}
        options={zones.map((value) => ({
          value,
          label: `${value.replaceAll("_", " ")}${value === browserZone && value !== "UTC" ? " (yours)" : ""}`,
        }))}
        onChange={(value) => show({ ...values, zone: value })}
      />
    </div>
  );
}

/** Tells the server the person's time zone. The figures are loaded anew when it used another one. */
function useZoneCookie(used: string): void {
  const router = useRouter();
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (timeZone === used || document.cookie.includes(`${zoneCookie}=${encodeURIComponent(timeZone)}`))
      return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
    document.cookie = `${zoneCookie}=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`;
    router.refresh();
  }, [used, router]);
}

function hrefOf({ range, zone, line }: Shown, ownZone: string): string {
  return `/${queryString({
    range: range === "24h" ? undefined : range,
    zone: zone === ownZone ? undefined : zone,
    line,
  })}`;
}

function toRange(value: string): ActivityRange {
  return RANGES.find((range) => range.value === value)?.value ?? "24h";
}
