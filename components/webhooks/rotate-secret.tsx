"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { FailureNote } from "@/components/data/failure-note";
import { useFreshDialog } from "@/components/data/use-fresh-dialog";
import { OptionSelect } from "@/components/settings/option-select";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { SecretReveal } from "@/components/webhooks/secret-reveal";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const OVERLAPS = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => ({ value: String(days), label: daysText(days) }));
const HOURS_A_DAY = 24;

/** Rotates an endpoint's signing secret. The old secret stays valid for the selected overlap. */
export function RotateSecret({ id }: { id: string }) {
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
  const [open, onOpenChange] = useFreshDialog(rotate.reset);

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm">
          <KeyRound aria-hidden="true" />
          Rotate secret
        </Button>
      </DialogTrigger>
      <DialogContent
        className="sm:max-w-xl"
        onInteractOutside={(event) => rotate.data && event.preventDefault()}
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
      </DialogContent>
    </Dialog>
  );
}

function daysText(count: number): string {
  if (count === 0) return "None: the old secret ends now";
  return count === 1 ? "1 day" : `${count} days`;
}
