"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { DialogDescription, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { type EndpointChoices, type EndpointFields, EndpointForm } from "@/components/webhooks/endpoint-form";
import { SecretReveal, shownSigningSecret } from "@/components/webhooks/secret-reveal";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const BLANK: EndpointFields = {
  name: null,
  target_url: "",
  subscribed_events: [],
  phone_numbers: null,
  routing_key_header: null,
  routing_id_header: null,
  retry_seconds: null,
  auto_replay_per_second: null,
  turns: null,
  ordering: "none",
  on_exhausted: null,
};

/** The dialog of `AddEndpoint`. */
export function AddEndpointDialog({ choices, trigger }: LoadedPopup & { choices: EndpointChoices }) {
  const queryClient = useQueryClient();
  const add = useMutation<{ signing_secret: string }, ApiFailure, EndpointFields>({
    mutationFn: (body) => apiFetch("/api/webhook-subscriptions", { method: "POST", body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
  const [open, onOpenChange] = useFreshDialog(add.reset, true);

  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      secret={add.data ? shownSigningSecret(add.data.signing_secret) : null}
      className="sm:max-w-2xl"
    >
      {add.data ? (
        <SecretReveal
          title="Endpoint added"
          secret={add.data.signing_secret}
          onDone={() => onOpenChange(false)}
        />
      ) : (
        <EndpointForm
          header={
            <DialogHeader>
              <DialogTitle>Add a webhook endpoint</DialogTitle>
              <DialogDescription>Your server receives events as they happen.</DialogDescription>
            </DialogHeader>
          }
          submitLabel="Add endpoint"
          choices={choices}
          initial={BLANK}
          pending={add.isPending}
          failure={add.error}
          onSubmit={(fields) => add.mutate(fields)}
        />
      )}
    </SecretDialog>
  );
}
