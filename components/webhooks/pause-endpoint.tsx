"use client";

import { Pause, Play } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { LazyOpen } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { Button } from "@/components/ui/button";
import { useEndpointChange } from "@/components/webhooks/use-endpoint-change";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

const load = async () => (await import("@/components/webhooks/resume-endpoint")).ResumeEndpoint;

type PauseEndpointProps = { endpoint: WebhookSubscriptionView };

/** Pauses an endpoint, or opens the dialog that resumes it. `?resume` opens the dialog, too. */
export function PauseEndpoint({ endpoint }: PauseEndpointProps) {
  const isAsked = useSearchParams().has("resume");
  if (endpoint.is_active) return <PauseButton endpoint={endpoint} />;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={{ endpoint }}
      startsOpen={isAsked}
      trigger={
        <Button variant="outline" size="sm">
          <Play aria-hidden="true" />
          Resume
        </Button>
      }
    />
  );
}

function PauseButton({ endpoint }: PauseEndpointProps) {
  const change = useEndpointChange(endpoint.id);

  function pause(): void {
    change.mutate(
      { is_active: false },
      {
        onSuccess: () => toast.success("Endpoint paused"),
        onError: ({ message }) => toast.error(message),
      },
    );
  }

  return (
    <Button variant="outline" size="sm" disabled={change.isPending} onClick={pause}>
      <Pause aria-hidden="true" />
      Pause
    </Button>
  );
}
