"use client";

import { useNow } from "@/components/data/time/clock";
import { formatDate, formatMoment, formatSeconds } from "@/components/data/time/format-time";

/** The time of an event to the second, with the date unless it is today, and in UTC on hover. */
export function EventTime({ value }: { value: string }) {
  const { nowMs, hydrated } = useNow();
  const timeZone = hydrated ? undefined : "UTC";
  const thenMs = Date.parse(value);
  const day = formatDate(thenMs, timeZone);
  const isToday = nowMs !== null && formatDate(nowMs, timeZone) === day;
  return (
    <time
      dateTime={value}
      title={formatMoment(thenMs, "UTC")}
      className="whitespace-nowrap text-muted-foreground text-xs tabular-nums"
    >
      {!isToday && <span>{day}, </span>}
      {formatSeconds(thenMs, timeZone)}
    </time>
  );
}
