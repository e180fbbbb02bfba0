"use client";

import Link from "next/link";
import { ErrorNote } from "@/components/data/error-note";
import { RecordBadge } from "@/components/data/record-badge";
import { ReplayBar } from "@/components/webhooks/replays/replay-bar";
import { ReplayControls } from "@/components/webhooks/replays/replay-controls";
import {
  deliveriesPerSecond,
  durationText,
  endedOf,
  secondsLeft,
} from "@/components/webhooks/replays/replay-pace";
import { SelectionText } from "@/components/webhooks/replays/selection-text";
import { useReplay } from "@/components/webhooks/replays/use-replay";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

/** A running replay: its progress, rate and actions. */
export function ReplayProgress({ initial, mayManage }: { initial: WebhookReplay; mayManage: boolean }) {
  const { replay, error, samples, change } = useReplay(initial);
  return (
    <section
      aria-label="Replay in progress"
      className="flex min-w-0 flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-medium text-sm">Replay</h2>
            <RecordBadge kind="replay" value={replay.state} />
            {replay.reason && <span className="text-muted-foreground text-xs">{replay.reason}</span>}
          </div>
          <p className="wrap-anywhere text-muted-foreground text-xs">
            <SelectionText selection={replay.selection} />
          </p>
        </div>
        {mayManage && replay.ended_at === null && (
          <ReplayControls replay={replay} pending={change.isPending} onChange={change.mutate} />
        )}
      </div>
      {error && (
        <ErrorNote title="The progress may be out of date" code={error.code} traceId={error.traceId}>
          {error.message}
        </ErrorNote>
      )}
      <ReplayBar replay={replay} />
      <Counts replay={replay} pace={deliveriesPerSecond(samples)} />
      <Link
        href={`/webhooks/${replay.subscription_id}?replay=${replay.id}`}
        className="w-fit text-xs underline underline-offset-4"
      >
        Show deliveries
      </Link>
    </section>
  );
}

function Counts({ replay, pace }: { replay: WebhookReplay; pace: number | null }) {
  const left = replay.state === "running" ? secondsLeft(replay, pace) : null;
  const counts = [
    {
      label: "Sent",
      value: `${endedOf(replay).toLocaleString("en")} of ${replay.total.toLocaleString("en")}`,
    },
    { label: "Delivered", value: replay.delivered.toLocaleString("en") },
    { label: "Failed", value: replay.failed.toLocaleString("en") },
    { label: "Skipped", value: replay.skipped.toLocaleString("en") },
    { label: "Retrying", value: replay.retrying.toLocaleString("en") },
    { label: "Rate", value: pace === null ? "–" : `${pace.toFixed(pace < 10 ? 1 : 0)} per second` },
    { label: "Time left", value: left === null ? "–" : durationText(left) },
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap">
      {counts.map(({ label, value }) => (
        <div key={label} className="flex flex-col">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="font-medium text-sm tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
