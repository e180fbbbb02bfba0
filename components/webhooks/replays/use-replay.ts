"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "@/components/data/toast";
import { addSample, endedOf, type PaceSample } from "@/components/webhooks/replays/replay-pace";
import { deliveriesKey, replaysKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

const RUNNING_MS = 1000;
const PAUSED_MS = 5000;

export type ReplayChange = { state?: "running" | "paused" | "canceled"; per_second?: number };

/** The live state and rate of a replay, and a function that changes it. */
export function useReplay(initial: WebhookReplay) {
  const queryClient = useQueryClient();
  const [samples, setSamples] = useState<PaceSample[]>([]);
  const key = ["webhook-replay", initial.id];
  const address = `/api/webhooks/replays/${initial.id}`;

  async function emitted(replay: WebhookReplay): Promise<void> {
    const isGoing = replay.state === "running";
    setSamples((before) => (isGoing ? addSample(before, { atMs: Date.now(), ended: endedOf(replay) }) : []));
    if (replay.ended_at !== null) {
      await queryClient.invalidateQueries({ queryKey: replaysKey });
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(replay.subscription_id) });
    }
  }

  const { data: replay, error } = useQuery<WebhookReplay, ApiFailure>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const now = await apiFetch<WebhookReplay>(address, { signal });
      await emitted(now);
      return now;
    },
    initialData: initial,
    refetchInterval: ({ state }) => {
      if (state.data?.ended_at) return false;
      return state.data?.state === "paused" ? PAUSED_MS : RUNNING_MS;
    },
  });
  const change = useMutation<WebhookReplay, ApiFailure, ReplayChange>({
    mutationFn: (body) => apiFetch(address, { method: "PATCH", body }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(key, changed);
      await emitted(changed);
    },
    onError: ({ message }) => toast.error(message),
  });

  return { replay, error, samples, change };
}
