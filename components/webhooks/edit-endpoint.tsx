"use client";

import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { type EndpointChoices, EndpointForm } from "@/components/webhooks/endpoint-form";
import { useEndpointChange } from "@/components/webhooks/use-endpoint-change";
import type { WebhookSubscriptionView } from "@/lib/webhooks/endpoints/webhook-subscription-view";

export type EditEndpointProps = { endpoint: WebhookSubscriptionView; choices: EndpointChoices };

/** Changes an endpoint's name, URL, events, turns, lines, order, routing headers and retry schedule. The signing secret does not change. */
export function EditEndpoint({ endpoint, choices, trigger }: EditEndpointProps & LoadedPopup) {
  const change = useEndpointChange(endpoint.id, () => onOpenChange(false));
  const [open, onOpenChange] = useFreshDialog(change.reset, true);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-2xl">
        <EndpointForm
          header={
            <DialogHeader>
              <DialogTitle>Edit endpoint</DialogTitle>
              <DialogDescription>The signing secret does not change.</DialogDescription>
            </DialogHeader>
          }
          submitLabel="Save"
          choices={choices}
          initial={{
            name: endpoint.name,
            target_url: endpoint.target_url,
            subscribed_events: endpoint.subscribed_events,
            phone_numbers: endpoint.phone_numbers,
            routing_key_header: endpoint.routing_key_header,
            routing_id_header: endpoint.routing_id_header,
            retry_seconds: endpoint.retry_seconds,
            auto_replay_per_second: endpoint.auto_replay_per_second,
            turns: endpoint.turns ?? null,
            ordering: endpoint.ordering ?? "none",
            on_exhausted: endpoint.on_exhausted ?? null,
          }}
          pending={change.isPending}
          failure={change.error}
          onSubmit={(fields) => change.mutate(fields)}
        />
      </DialogContent>
    </Dialog>
  );
}
