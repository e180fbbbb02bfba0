"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** Sends the event of one delivery again. `about` names the event to readers of a list. */
export function ReplayOne({ id, about }: { id: string; about?: string }) {
  const queryClient = useQueryClient();
  const replay = useMutation<{ subscription_id: string }, ApiFailure>({
    mutationFn: () => apiFetch(`/api/webhooks/deliveries/${id}/replay`, { method: "POST" }),
    onSuccess: async ({ subscription_id }) => {
      toast.success("The event is being sent again as a new delivery");
      await queryClient.invalidateQueries({ queryKey: [`/api/webhooks/${subscription_id}/deliveries`] });
    },
    onError: ({ message }) => toast.error(message),
  });
  return (
    <Button variant="outline" size="sm" disabled={replay.isPending} onClick={() => replay.mutate()}>
      <RotateCw aria-hidden="true" />
      Replay
      {about !== undefined && <span className="sr-only"> {about}</span>}
    </Button>
  );
}
