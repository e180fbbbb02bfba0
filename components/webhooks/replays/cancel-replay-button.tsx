"use client";

import { CircleX } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { CancelReplayProps } from "@/components/webhooks/replays/cancel-replay";

const load = async () => (await import("@/components/webhooks/replays/cancel-replay")).CancelReplay;

/** Asks for a confirmation, then cancels a running replay. */
export function CancelReplayButton(props: CancelReplayProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <CircleX aria-hidden="true" />
          Cancel replay
        </Button>
      }
    />
  );
}
