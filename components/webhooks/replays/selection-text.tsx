"use client";

import { useNow } from "@/components/data/time/clock";
import { describeSelection } from "@/components/webhooks/replays/describe-selection";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

/** A replay's filter in words, with times in the reader's time zone, and in UTC on hover. */
export function SelectionText({ selection }: Pick<WebhookReplay, "selection">) {
  const { hydrated } = useNow();
  return (
    <span title={describeSelection(selection, "UTC")}>
      {describeSelection(selection, hydrated ? undefined : "UTC")}
    </span>
  );
}
