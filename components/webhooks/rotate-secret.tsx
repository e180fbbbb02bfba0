"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { OptionSelect } from "@/components/settings/option-select";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { SecretReveal, shownSigningSecret } from "@/components/webhooks/secret-reveal";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const OVERLAPS = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => ({ value: String(days), label: daysText(days) }));
const HOURS_A_DAY = 24;

export type RotateSecretProps = { id: string };

/** Rotates an endpoint's signing secret. The old secret stays valid for the selected overlap. */
export function RotateSecret({ id, trigger }: RotateSecretProps & LoadedPopup) {
  const [days, setDays] = useState(1);
  const queryClient = useQueryClient();
  const rotate = useMutation<{ signing_secret: string }, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/webhook-subscriptions/${id}/rotate`, {
        method: "POST",
        body: { overlap_hours: days * HOURS_A_DAY },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey }),
  });
  const [open, onOpenChange] = useFreshDialog(rotate.reset, true);

  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      secret={rotate.data ? shownSigningSecret(rotate.data.signing_secret) : null}
      className="sm:max-w-xl"
    >
      {rotate.data ? (
        <SecretReveal
          title="New signing secret"
          secret={rotate.data.signing_secret}
          onDone={() => onOpenChange(false)}
        />
      ) : (
        <>
          <DialogHeader>
            <DialogTitle>Rotate signing secret</DialogTitle>
            <DialogDescription>
              While both secrets are valid, the webhook-signature header contains a signature for each, so
              your server can switch at any time.
            </DialogDescription>
          </DialogHeader>
          <FailureNote title="The secret was not rotated" failure={rotate.error} />
          <OptionSelect
            name="The old secret stays valid for"
            description="X-Webhook-Signature uses the old secret until then, or until you switch."
            value={String(days)}
            choices={OVERLAPS}
            disabled={rotate.isPending}
            onChange={(value) => setDays(Number(value))}
          />
          <DialogFooter>
            <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              {rotate.isPending && <Spinner />}
              Create new secret
            </Button>
          </DialogFooter>
        </>
      )}
    </SecretDialog>
  );
}

function daysText(count: number): string {
  if (count === 0) return "None: the old secret ends now";
  return count === 1 ? "1 day" : `${count} days`;
}
