"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { useNameGuard } from "@/components/data/use-name-guard";
import { linesKey } from "@/components/lines/lines-key";
import { OptionSelect } from "@/components/settings/option-select";
import { useCurrentAccount } from "@/components/shell/rights";
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
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

export type MoveTarget = { id: string; name: string; type: "sandbox" | "production" };

export type MoveLineProps = { line: LineDetails; targets: MoveTarget[] };

/** Moves a line to another account of the partner. */
export function MoveLine({ line, targets, trigger }: MoveLineProps & LoadedPopup) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const guard = useNameGuard(useCurrentAccount());
  const [accountId, setAccountId] = useState(targets[0]?.id ?? "");
  const target = targets.find(({ id }) => id === accountId);
  const move = useMutation<unknown, ApiFailure>({
    mutationFn: () =>
      apiFetch(`/api/lines/${line.id}/move`, { method: "POST", body: { account_id: accountId } }),
    onSuccess: () => {
      onOpenChange(false);
      toast.success(`${line.phone_number} was moved to ${target?.name ?? "the account"}`);
      router.push("/lines");
      void queryClient.invalidateQueries({ queryKey: linesKey });
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    move.reset();
    guard.reset();
  }, true);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (guard.isPassed && !move.isPending) move.mutate();
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <form onSubmit={submit} className="flex min-w-0 flex-col gap-4">
          <DialogHeader>
            <DialogTitle>
              Move <Grouped>{line.phone_number}</Grouped>
            </DialogTitle>
            <DialogDescription>
              The number moves with its settings and connection. Its chats stay in this account, readable but
              closed, and its contact card is removed.
            </DialogDescription>
          </DialogHeader>
          <OptionSelect
            name="Account"
            description={target?.type === "production" ? "A production account." : "A sandbox account."}
            value={accountId}
            choices={targets.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={move.isPending}
            onChange={setAccountId}
          />
          {guard.field}
          <FailureNote title="The line was not moved" failure={move.error} />
          <DialogFooter>
            <Button type="submit" variant="destructive" disabled={!guard.isPassed || move.isPending}>
              {move.isPending && <Spinner />}
              Move line
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
