"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { useNameGuard } from "@/components/data/use-name-guard";
import { FLAG_WORDS } from "@/components/lines/flag-words";
import { linesKey } from "@/components/lines/lines-key";
import { useCurrentAccount } from "@/components/shell/rights";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { LineDetails } from "@/lib/lines/overview/get-line-view";

export type FlagLineProps = { line: LineDetails };

/** Flags a line or clears its flag, after a confirmation. */
export function FlagLine({ line, trigger }: FlagLineProps & LoadedPopup) {
  const queryClient = useQueryClient();
  const status = line.status === "FLAGGED" ? "ACTIVE" : "FLAGGED";
  const { action, question, means, done } = FLAG_WORDS[status];
  const account = useCurrentAccount();
  const guard = useNameGuard(status === "FLAGGED" ? account : null);
  const flag = useMutation<unknown, ApiFailure>({
    mutationFn: () => apiFetch(`/api/lines/${line.id}/status`, { method: "PUT", body: { status } }),
    onSuccess: async () => {
      onOpenChange(false);
      toast.success(done);
      await queryClient.invalidateQueries({ queryKey: linesKey });
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    flag.reset();
    guard.reset();
  }, true);

  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogTrigger asChild>{trigger}</AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{question}</AlertDialogTitle>
          <AlertDialogDescription>{means}</AlertDialogDescription>
        </AlertDialogHeader>
        {guard.field}
        <FailureNote title="The line status could not be changed" failure={flag.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>Cancel</AlertDialogCancel>
          <Button
            variant={status === "FLAGGED" ? "destructive" : "default"}
            disabled={flag.isPending || !guard.isPassed}
            onClick={() => flag.mutate()}
          >
            {flag.isPending && <Spinner />}
            {action}
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
