"use client";

import { Pause, Play } from "lucide-react";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { useEndpointChange } from "@/components/webhooks/use-endpoint-change";
import type { WebhookEndpoint } from "@/lib/webhooks/endpoints/webhook-endpoint";

/** Pauses or resumes deliveries to an endpoint. */
export function PauseEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const change = useEndpointChange(endpoint.id);
  const isActive = endpoint.is_active;

  function toggle(): void {
    change.mutate(
      { is_active: !isActive },
      {
        onSuccess: () => toast.success(isActive ? "Endpoint paused" : "Endpoint resumed"),
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
