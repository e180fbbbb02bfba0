"use client";

import { Pause, Play } from "lucide-react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { useEndpointChange } from "@/components/webhooks/use-endpoint-change";
import type { WebhookEndpoint } from "@/lib/webhooks/webhook-endpoint";

/** Stops sending to an endpoint, or begins again. */
export function PauseEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const change = useEndpointChange(endpoint.id);
  const isActive = endpoint.is_active;

  function toggle(): void {
    change.mutate(
      { is_active: !isActive },
      {
        onSuccess: () =>
          toast.success(isActive ? "The endpoint is paused" : "The endpoint is sent events again"),
        onError: ({ message }) => toast.error(message),
      },
    );
  }

  return (
    <Button variant="outline" size="sm" disabled={change.isPending} onClick={toggle}>
      {isActive ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      {isActive ? "Pause" : "Resume"}
    </Button>
  );
}
