"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { ErrorNote } from "@/components/data/error-note";
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
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { ShownSecret } from "@/components/webhooks/shown-secret";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

const OVERLAP_DAYS = [0, 1, 2, 3, 4, 5, 6, 7];
const HOURS_A_DAY = 24;

/** Gives an endpoint another signing secret, with a time in which the old one is valid too. */
export function RotateSecret({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
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

  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) rotate.reset();
  }

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
          <ShownSecret
            title="The new secret"
            secret={rotate.data.signing_secret}
            onDone={() => onOpenChange(false)}
          />
        ) : (
          <>
            <DialogHeader>
              <DialogTitle>Rotate the signing secret</DialogTitle>
              <DialogDescription>
                While both are valid, webhook-signature carries a signature of each, so that your server can
                change over when it likes.
              </DialogDescription>
            </DialogHeader>
            {rotate.error && (
              <ErrorNote title="Not rotated" code={rotate.error.code} traceId={rotate.error.traceId}>
                {rotate.error.message}
              </ErrorNote>
            )}
            <Field>
              <FieldLabel>The old secret stays valid for</FieldLabel>
              <Select value={String(days)} onValueChange={(value) => setDays(Number(value))}>
                <FieldControl>
                  <SelectTrigger className="w-48">
                    <SelectValue />
                  </SelectTrigger>
                </FieldControl>
                <SelectContent>
                  {OVERLAP_DAYS.map((count) => (
                    <SelectItem key={count} value={String(count)}>
                      {daysText(count)}
                    </SelectItem>
                  ))}
                </SelectContent>
              </Select>
              <FieldDescription>
                X-Webhook-Signature is made with the old one until then, or until you switch.
              </FieldDescription>
            </Field>
            <DialogFooter>
              <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
                {rotate.isPending && <Spinner />}
                Make a new secret
              </Button>
            </DialogFooter>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function daysText(count: number): string {
  if (count === 0) return "No time: it ends now";
  return count === 1 ? "1 day" : `${count} days`;
}
