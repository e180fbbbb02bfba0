"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CancelReplayButton } from "@/components/webhooks/replays/cancel-replay-button";
import { ReplaySpeedSelect } from "@/components/webhooks/replays/replay-speed-select";
import type { ReplayChange } from "@/components/webhooks/replays/use-replay";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

type ReplayControlsProps = {
  replay: WebhookReplay;
  pending: boolean;
  onChange: (change: ReplayChange) => void;
};

/** Pauses, resumes or cancels a replay, or changes its speed. */
export function ReplayControls({ replay, pending, onChange }: ReplayControlsProps) {
  const isPaused = replay.state === "paused";
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ReplaySpeedSelect
        value={replay.per_second}
        disabled={pending}
        onChange={(per_second) => onChange({ per_second })}
      />
      {replay.state !== "canceled" && (
        <>
          <Button
            variant="outline"
            size="sm"
            disabled={pending}
            onClick={() => onChange({ state: isPaused ? "running" : "paused" })}
          >
            {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {isPaused ? "Resume replay" : "Pause replay"}
          </Button>
          <CancelReplayButton onConfirm={() => onChange({ state: "canceled" })} />
        </>
      )}
    </div>
  );
}
