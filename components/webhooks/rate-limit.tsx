"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
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
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

export type RateLimitProps = { endpoint: WebhookSubscriptionView };

/** Sets the maximum number of events per second for an endpoint. */
export function RateLimit({ endpoint, trigger }: RateLimitProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-md">
        <RateLimitForm endpoint={endpoint} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

type RateLimitFormProps = { endpoint: WebhookSubscriptionView; onDone: () => void };

function RateLimitForm({ endpoint, onDone }: RateLimitFormProps) {
  const [text, setText] = useState(String(endpoint.rate_limit ?? ""));
  const queryClient = useQueryClient();
  const limit = useMutation<void, ApiFailure, number | null>({
    mutationFn: (rate_limit) =>
      apiFetch(`/api/webhook-subscriptions/${endpoint.id}/rate-limit`, {
        method: "PUT",
        body: { rate_limit },
      }),
    onSuccess: async (_, rate) => {
      await queryClient.invalidateQueries({ queryKey: webhooksKey });
      toast.success(
        rate === null ? "The endpoint has no rate limit" : `The rate limit is ${rate} events per second`,
      );
      onDone();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    limit.mutate(text.trim() === "" ? null : Number(text));
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <DialogHeader>
        <DialogTitle>Rate limit</DialogTitle>
        <DialogDescription>
          Events above the limit are delayed, not lost. Other endpoints are not affected.
        </DialogDescription>
      </DialogHeader>
      <FailureNote title="The rate limit was not saved" failure={limit.error} />
      <Field>
        <FieldLabel>Events per second</FieldLabel>
        <FieldControl>
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={1000}
            step={1}
            placeholder="No limit"
            className="w-40 tabular-nums"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </FieldControl>
        <FieldDescription>
          1 to 1000, including retries and replays. Leave empty for no limit.
        </FieldDescription>
      </Field>
      <DialogFooter>
        <Button type="submit" disabled={limit.isPending}>
          {limit.isPending && <Spinner />}
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
