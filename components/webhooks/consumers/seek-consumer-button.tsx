"use client";

import { Milestone } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { SeekConsumerProps } from "@/components/webhooks/consumers/seek-consumer";

const load = async () => (await import("@/components/webhooks/consumers/seek-consumer")).SeekConsumer;

/** Opens the form that moves a consumer. */
export function SeekConsumerButton(props: SeekConsumerProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Milestone aria-hidden="true" />
          Seek…
        </Button>
      }
    />
  );
}
