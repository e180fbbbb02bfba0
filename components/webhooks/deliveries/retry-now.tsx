"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { FailureNote } from "@/components/data/failure-note";
import { Timestamp } from "@/components/data/time/timestamp";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { RetryNow as Operation } from "@/lib/webhooks/deliveries/retry-now";

type Retried = z.infer<(typeof Operation)["returns"]>;

type RetryNowProps = {
  id: string;
  /** How many deliveries wait for their next attempt. */
  count: number;
  nextAt: string;
};

/** The deliveries that Trunkline still retries by itself, with a button that does it now. */
export function RetryNow({ id, count, nextAt }: RetryNowProps) {
  const queryClient = useQueryClient();
  const retry = useMutation<Retried, ApiFailure>({
    mutationFn: () => apiFetch(`/api/webhooks/${id}/retry`, { method: "POST" }),
    onSuccess: async ({ retried }) => {
      toast.success(`Retrying ${deliveries(retried)} now.`);
      await queryClient.invalidateQueries({ queryKey: ["replay-preview", id] });
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <FailureNote title="The deliveries were not retried" failure={retry.error} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border px-3.5 py-2 text-sm">
        <p>
          <span className="font-medium tabular-nums">{deliveries(count)}</span> failed and will be retried,
          the next at <Timestamp value={nextAt} format="clock" />. Replays do not include them.
        </p>
        <Button
          type="button"
          variant="outline"
          size="sm"
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {retry.isPending && <Spinner />}
          Retry now
        </Button>
      </div>
    </div>
  );
}

function deliveries(count: number): string {
  return count === 1 ? "1 delivery" : `${count.toLocaleString("en")} deliveries`;
}
