"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyOnce } from "@/components/data/copy/copy-once";
import { SecretDialog } from "@/components/data/dialogs/secret-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { OptionSelect } from "@/components/settings/option-select";
import { shownToken } from "@/components/tokens/token-reveal";
import { tokensKey } from "@/components/tokens/tokens-key";
import { Button } from "@/components/ui/button";
import { DialogDescription, DialogFooter, DialogHeader, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ApiToken } from "@/lib/identity/tokens/api-token";

const OVERLAPS = [
  { value: "0", label: "Revoke now" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
];

type Rolled = { token: string; previous_valid_until: string | null };

export type RollTokenProps = { token: ApiToken };

/** Replaces a token. The old token stays valid for the selected time; the new token is shown once. */
export function RollToken({ token, trigger }: RollTokenProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  const [hours, setHours] = useState("24");
  const queryClient = useQueryClient();
  const roll = useMutation<Rolled, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/tokens/${token.id}/roll`, { method: "POST", body: { overlap_hours: Number(hours) } }),
  });

  // The list is reloaded only when the dialog closes: the dialog's own row may disappear with the old token.
  function onOpenChange(next: boolean): void {
    setOpen(next);
    if (next) roll.reset();
    else if (roll.data) void queryClient.invalidateQueries({ queryKey: tokensKey });
  }

  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      secret={roll.data ? shownToken(roll.data.token) : null}
      className="sm:max-w-xl"
    >
      <DialogHeader>
        <DialogTitle>{`Roll “${token.name}”`}</DialogTitle>
        <DialogDescription>
          {roll.data
            ? "Copy the new token now. The token is not shown again."
            : "Create a new token with the same name, access and lifetime."}
        </DialogDescription>
      </DialogHeader>
      {roll.data ? (
        <CopyOnce value={roll.data.token} label="token" testId="rolled-token" />
      ) : (
        <>
          <FailureNote title="The token was not rolled" failure={roll.error} />
          <OptionSelect
            name="Keep the old token valid for"
            description="Requests with the old token fail after this time."
            value={hours}
            choices={OVERLAPS}
            disabled={roll.isPending}
            onChange={setHours}
          />
        </>
      )}
      <DialogFooter>
        {roll.data ? (
          <Button onClick={() => onOpenChange(false)}>Done</Button>
        ) : (
          <Button onClick={() => roll.mutate()} disabled={roll.isPending}>
            {roll.isPending && <Spinner />}
            Roll token
          </Button>
        )}
      </DialogFooter>
    </SecretDialog>
  );
}
