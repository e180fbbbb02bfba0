"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { RetryNow } from "@/components/webhooks/deliveries/retry-now";
import { type ReplayFields, toReplayFilter } from "@/components/webhooks/replays/replay-fields";
import { ReplayFilterFields } from "@/components/webhooks/replays/replay-filter-fields";
import { ReplayPreview } from "@/components/webhooks/replays/replay-preview";
import { ReplaySpeedSelect } from "@/components/webhooks/replays/replay-speed-select";
import { ReplayStatuses } from "@/components/webhooks/replays/replay-statuses";
import { useReplayPreview } from "@/components/webhooks/replays/use-replay-preview";
import { replaysKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

type Started = { replays?: WebhookReplay[]; not_started?: { reason: string }[] };

function reportStarted({ replays = [], not_started = [] }: Started): void {
  const endpoints = replays.length === 1 ? "1 endpoint" : `${replays.length} endpoints`;
  if (replays.length > 0) toast.success(`Replaying to ${endpoints}`);
  for (const { reason } of not_started) toast.error(`A replay was not started: ${reason}`);
}

export type ReplayFormProps = {
  /** The endpoint; null = all active endpoints of the account. */
  id: string | null;
  groups: EventGroupChoice[];
  lines: { id: string; label?: string | undefined; phone_number: string }[];
  initial: ReplayFields;
  /** Whether the filter fields are open at first. */
  narrowed: boolean;
  onStarted: () => void;
};

/** The form of a replay: which events to send again and how fast, with a preview of their number. */
export function ReplayForm({ id, groups, lines, initial, narrowed, onStarted }: ReplayFormProps) {
  const [fields, setFields] = useState(initial);
  const router = useRouter();
  const queryClient = useQueryClient();
  const filter = toReplayFilter(fields);
  const preview = useReplayPreview(id, filter);
  const path = id === null ? "/api/webhooks/replays" : `/api/webhooks/${id}/replays`;
  const start = useMutation<Started, ApiFailure>({
    mutationFn: () => apiFetch(path, { method: "POST", body: { filter, per_second: fields.per_second } }),
    onSuccess: async (started) => {
      await queryClient.invalidateQueries({ queryKey: replaysKey });
      onStarted();
      if (id === null) reportStarted(started);
      else router.push(`/webhooks/${id}/replays`);
    },
  });
  const change = (part: Partial<ReplayFields>) => setFields({ ...fields, ...part });
  const retries = preview.data;
  const total = preview.isCurrent ? (preview.data?.total ?? 0) : 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    start.mutate();
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>{id === null ? "Replay events to all endpoints" : "Replay events"}</DialogTitle>
        <DialogDescription>
          Sends the same events with the same IDs again, oldest first, with new signatures and the header
          X-Webhook-Replay. The original deliveries do not change.
        </DialogDescription>
      </DialogHeader>
      <FailureNote title="The replay was not started" failure={start.error} />
      <ReplayStatuses chosen={fields.statuses} onChange={(statuses) => change({ statuses })} />
      <ReplayFilterFields fields={fields} open={narrowed} groups={groups} lines={lines} onChange={change} />
      <ReplayPreview preview={preview} perSecond={fields.per_second} />
      {id !== null && retries?.next_retry_at && (
        <RetryNow id={id} count={retries.retrying ?? 0} nextAt={retries.next_retry_at} />
      )}
      <DialogFooter className="items-center">
        <ReplaySpeedSelect value={fields.per_second} onChange={(per_second) => change({ per_second })} />
        <Button type="submit" disabled={start.isPending || total === 0}>
          {start.isPending && <Spinner />}
          {total === 1 ? "Replay 1 event" : `Replay ${total.toLocaleString("en")} events`}
        </Button>
      </DialogFooter>
    </form>
  );
}
