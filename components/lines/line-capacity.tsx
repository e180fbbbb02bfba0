"use client";

import { Timestamp } from "@/components/data/time/timestamp";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/lib/cn";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

/** Counted up to this number. */
const MAX_WAITING = 1000;

/** The messages of a line that wait, and how much of today's limits is used. */
export function LineCapacityCard({ line }: { line: LineDetails }) {
  const { queue, capacity } = line;
  const { messages, new_chats, account_messages, resets_at } = capacity;
  return (
    <Card>
      <CardHeader>
        <CardTitle>Queue and capacity today</CardTitle>
        <CardDescription>
          The day begins again at <Timestamp value={resets_at} format="clock" /> your time (midnight UTC).
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        <div className="flex flex-col gap-1">
          <span className="text-muted-foreground text-xs">Waiting messages</span>
          <span className="font-medium text-lg tabular-nums">{waitingText(queue.waiting)}</span>
          <span className="text-muted-foreground text-xs">
            {queue.oldest_at === null ? (
              "Nothing waits."
            ) : (
              <>
                Oldest accepted <Timestamp value={queue.oldest_at} />
              </>
            )}
            {queue.sends_per_second !== null && ` Sent at up to ${queue.sends_per_second} per second.`}
          </span>
        </div>
        <Meter label="Messages of this line" use={messages} note="recommended maximum" />
        <Meter label="New conversations" use={new_chats} note="recommended maximum" />
        {account_messages && (
          <Meter label="Messages of the account" use={account_messages} note="limit: further sends fail" />
        )}
      </CardContent>
    </Card>
  );
}

export function waitingText(count: number): string {
  return count >= MAX_WAITING ? `${MAX_WAITING.toLocaleString("en")}+` : count.toLocaleString("en");
}

type MeterProps = { label: string; use: { used: number; limit: number }; note: string };

function Meter({ label, use: { used, limit }, note }: MeterProps) {
  const share = Math.min(1, used / limit);
  const left = Math.max(0, limit - used);
  return (
    <div className="flex flex-col gap-1">
      <span className="text-muted-foreground text-xs">{label}</span>
      <span className="tabular-nums">
        <span className="font-medium text-lg">{used.toLocaleString("en")}</span>{" "}
        <span className="text-muted-foreground">of {limit.toLocaleString("en")}</span>
      </span>
      <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-muted-foreground/15">
        <span
          className={cn(
            "block h-full rounded-full bg-success",
            share >= 0.8 && "bg-warning-fill",
            share >= 1 && "bg-destructive",
          )}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="text-muted-foreground text-xs">
        {left.toLocaleString("en")} left ({note})
      </span>
    </div>
  );
}
