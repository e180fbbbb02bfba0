"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { FAILED_DELIVERIES, toReplayFilter } from "@/components/webhooks/replays/replay-fields";
import { ReplaySpeedSelect } from "@/components/webhooks/replays/replay-speed-select";
import { useReplayPreview } from "@/components/webhooks/replays/use-replay-preview";
import { replaysKey, webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

export type ResumeEndpointProps = { endpoint: WebhookSubscriptionView };

/** Resumes an endpoint, and offers to replay what it missed: skipped events, and failed ones of the outage before. */
export function ResumeEndpoint({ endpoint, trigger }: ResumeEndpointProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-lg">
        <ResumeForm endpoint={endpoint} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

function ResumeForm({ endpoint, onDone }: ResumeEndpointProps & { onDone: () => void }) {
  const { id, auto_replay_per_second: automatic } = endpoint;
  const since = endpoint.missed_from ?? undefined;
  const filter = toReplayFilter({ ...FAILED_DELIVERIES, from: since });
  const { data, error } = useReplayPreview(id, filter);
  const [perSecond, setPerSecond] = useState(FAILED_DELIVERIES.per_second);
  const queryClient = useQueryClient();
  const missed = data?.total ?? 0;
  const mayReplay = automatic === null && missed > 0 && missed <= (data?.most ?? 0);
  const resume = useMutation<{ problem?: string }, ApiFailure, boolean>({
    mutationFn: async (withReplay) => {
      await apiFetch(`/api/webhook-subscriptions/${id}`, { method: "PUT", body: { is_active: true } });
      if (!withReplay) return {};
      const body = { filter, per_second: perSecond };
      return apiFetch(`/api/webhooks/${id}/replays`, { method: "POST", body }).then(
        () => ({}),
        ({ message }: ApiFailure) => ({ problem: message }),
      );
    },
    onSuccess: async ({ problem }, withReplay) => {
      await queryClient.invalidateQueries({ queryKey: webhooksKey });
      await queryClient.invalidateQueries({ queryKey: replaysKey });
      if (problem !== undefined)
        toast.error(`The endpoint is active, but the replay was not started: ${problem}`);
      else
        toast.success(withReplay ? `Endpoint resumed. Replaying ${eventsText(missed)}` : "Endpoint resumed");
      onDone();
    },
  });

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Resume endpoint</DialogTitle>
        <DialogDescription>New events are delivered from now on.</DialogDescription>
      </DialogHeader>
      <FailureNote title="The endpoint was not resumed" failure={resume.error} />
      <div role="status" className="min-h-10 rounded-lg border bg-muted/60 px-3.5 py-2 text-sm">
        {data === undefined && error === null && (
          <span className="flex items-center gap-2 text-muted-foreground">
            <Spinner /> Counting missed events…
          </span>
        )}
        {error !== null && "The missed events could not be counted. You can replay them later under Replays."}
        {data !== undefined && missed === 0 && "No events were missed."}
        {data !== undefined && missed > 0 && (
          <p>
            <span className="font-medium tabular-nums">{eventsText(missed)}</span>{" "}
            {missed === 1 ? "was" : "were"} skipped or failed
            {since !== undefined && (
              <>
                {" "}
                since <Timestamp value={since} format="moment" />
              </>
            )}
            . {advice(automatic, mayReplay)}
          </p>
        )}
      </div>
      <DialogFooter className="items-center">
        {mayReplay && <ReplaySpeedSelect value={perSecond} onChange={setPerSecond} />}
        <Button
          variant={mayReplay ? "outline" : "default"}
          disabled={resume.isPending}
          onClick={() => resume.mutate(false)}
        >
          {mayReplay ? "Resume only" : "Resume"}
        </Button>
        {mayReplay && (
          <Button disabled={resume.isPending} onClick={() => resume.mutate(true)}>
            {resume.isPending && <Spinner />}
            Resume and replay {missed.toLocaleString("en")}
          </Button>
        )}
      </DialogFooter>
    </div>
  );
}

function advice(automatic: number | null, mayReplay: boolean): string {
  if (automatic !== null) return `They are replayed automatically, up to ${automatic} per second.`;
  return mayReplay ? "Replay them?" : "One replay can't send them all: replay them in parts under Replays.";
}

function eventsText(count: number): string {
  return count === 1 ? "1 event" : `${count.toLocaleString("en")} events`;
}
