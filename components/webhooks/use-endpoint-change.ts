"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { TurnSettings } from "@/lib/webhooks/subscriptions/turn-settings";

type Changes = {
  name?: string | null;
  target_url?: string;
  subscribed_events?: string[];
  phone_numbers?: string[] | null;
  is_active?: boolean;
  routing_key_header?: string | null;
  routing_id_header?: string | null;
  retry_seconds?: number[] | null;
  auto_replay_per_second?: number | null;
  turns?: TurnSettings | null;
  ordering?: "none" | "chat";
  on_exhausted?: "skip" | "stop" | null;
};

/** Changes an endpoint and reloads the queries that show it. */
export function useEndpointChange(id: string, onChanged?: () => void) {
  const queryClient = useQueryClient();
  return useMutation<unknown, ApiFailure, Changes>({
    mutationFn: (body) => apiFetch(`/api/webhook-subscriptions/${id}`, { method: "PUT", body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: webhooksKey });
      onChanged?.();
    },
  });
}
