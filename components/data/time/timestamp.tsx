"use client";

import { useNow } from "@/components/data/time/clock";
import { formatClock, formatDate, formatMoment, formatRelative } from "@/components/data/time/format-time";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";

type TimestampProps = {
  /** An RFC 3339 timestamp. */
  value: string;
  /** `relative` is "2 min ago", `clock` is "21:59", `moment` is the full date and time. */
  format?: "relative" | "clock" | "moment";
  /** false inside a link or a button, where a nested focusable element is invalid. */
  interactive?: boolean;
  className?: string;
};

function useTimeText(value: string, format: NonNullable<TimestampProps["format"]>): string {
  const { nowMs, hydrated } = useNow();
  const thenMs = Date.parse(value);
  const timeZone = hydrated ? undefined : "UTC";
  if (format === "moment") return formatMoment(thenMs, timeZone);
  if (format === "clock") return formatClock(thenMs, timeZone);
  const relative = nowMs === null ? null : formatRelative(thenMs, nowMs);
  return relative ?? formatDate(thenMs, timeZone);
}

/** A time that updates while the page is open, with the exact date on hover and focus, also in UTC. */
export function Timestamp({ value, format = "relative", interactive = true, className }: TimestampProps) {
  const text = useTimeText(value, format);
  const classes = cn("whitespace-nowrap rounded-sm tabular-nums", className);
  if (!interactive) {
    return (
      <time dateTime={value} title={formatMoment(Date.parse(value), "UTC")} className={classes}>
        {text}
      </time>
    );
  }
  const thenMs = Date.parse(value);
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be available without a mouse */}
        <time dateTime={value} tabIndex={0} className={classes}>
          {text}
        </time>
      </TooltipTrigger>
      <TooltipContent className="tabular-nums">
        <span className="block">{formatMoment(thenMs)}</span>
        <span className="block opacity-75">{formatMoment(thenMs, "UTC")}</span>
      </TooltipContent>
    </Tooltip>
  );
}
