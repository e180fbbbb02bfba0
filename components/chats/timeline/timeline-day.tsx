"use client";

import { useMemo } from "react";
import { useNow } from "@/components/data/time/clock";
import { formatDate } from "@/components/data/time/format-time";

const dayMs = 86_400_000;

function useTimeZone(): string | undefined {
  return useNow().hydrated ? undefined : "UTC";
}

interface Day<T> {
  day: string;
  firstAt: string;
  messages: T[];
}

/**
 * Groups messages by calendar day in the user's time zone (UTC while hydrating), keeping their order. The same messages
 * have the same days, whose brackets are not computed again.
 */
export function useTimelineDays<T extends { created_at: string }>(messages: readonly T[]): Day<T>[] {
  const timeZone = useTimeZone();
  return useMemo(() => toDays(messages, timeZone), [messages, timeZone]);
}

function toDays<T extends { created_at: string }>(messages: readonly T[], timeZone: string | undefined) {
  const days: Day<T>[] = [];
  for (const message of messages) {
    const day = formatDate(Date.parse(message.created_at), timeZone);
    const last = days.at(-1);
    if (last?.day === day) last.messages.push(message);
    else days.push({ day, firstAt: message.created_at, messages: [message] });
  }
  return days;
}

/** The divider between two days of a timeline: Today, Yesterday or the date. */
export function TimelineDay({ value }: { value: string }) {
  const timeZone = useTimeZone();
  const { nowMs } = useNow();
  const day = formatDate(Date.parse(value), timeZone);
  const isToday = nowMs !== null && formatDate(nowMs, timeZone) === day;
  const isYesterday = nowMs !== null && formatDate(nowMs - dayMs, timeZone) === day;
  // Older messages of the day are added below the divider, so it must not be what keeps the reader's place.
  return (
    <div className="flex items-center gap-3 py-3 [overflow-anchor:none]">
      <div aria-hidden="true" className="h-px flex-1 bg-border" />
      <h2 className="font-medium text-muted-foreground text-xs">
        <time dateTime={value}>{isToday ? "Today" : isYesterday ? "Yesterday" : day}</time>
      </h2>
      <div aria-hidden="true" className="h-px flex-1 bg-border" />
    </div>
  );
}
