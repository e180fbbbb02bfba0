"use client";

import { useMutation } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import { FailureNote } from "@/components/data/failure-note";
import { Grouped } from "@/components/data/grouped";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { useNameGuard } from "@/components/data/use-name-guard";
import { type CurrentAccount, useCurrentAccount } from "@/components/shell/rights";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from "@/components/ui/alert-dialog";
import { Spinner } from "@/components/ui/spinner";
import type { ApiFailure } from "@/lib/client/api-fetch";

export type Confirmation = {
  title: string;
  description: string;
  confirm: string;
  keep: string;
  /** The success toast, and the title of the error. */
  done: string;
  failed: string;
  /** Whether the action deletes something. */
  isDestructive?: boolean;
  /** Whether the user types the account's name first if the account is a production account. */
  needsName?: boolean;
  /** The account that the action concerns, by default the current one. */
  account?: CurrentAccount;
  action: () => Promise<unknown>;
  onDone?: () => void;
};

/** The dialog of `ConfirmAction`. */
export function ConfirmDialog(props: Confirmation & LoadedPopup) {
  const { trigger, isDestructive = true, needsName = false, action, onDone, ...words } = props;
  const current = useCurrentAccount();
  const guard = useNameGuard(needsName ? (props.account ?? current) : null);
  const work = useMutation<unknown, ApiFailure>({
    mutationFn: action,
    onSuccess: () => {
      onOpenChange(false);
      toast.success(words.done);
      onDone?.();
    },
  });
  const [open, onOpenChange] = useFreshDialog(() => {
    work.reset();
    guard.reset();
  }, true);

  // Keep the dialog open until the request completes.
  function confirm(event: MouseEvent): void {
    event.preventDefault();
    if (!work.isPending && guard.isPassed) work.mutate();
  }

  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogTrigger asChild>{trigger}</AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>
            <Grouped>{words.title}</Grouped>
          </AlertDialogTitle>
          <AlertDialogDescription>
            <Grouped>{words.description}</Grouped>
          </AlertDialogDescription>
        </AlertDialogHeader>
        {guard.field}
        <FailureNote title={words.failed} failure={work.error} />
        <AlertDialogFooter>
          <AlertDialogCancel>{words.keep}</AlertDialogCancel>
          <AlertDialogAction
            variant={isDestructive ? "destructive" : "default"}
            aria-disabled={work.isPending || !guard.isPassed}
            onClick={confirm}
          >
            {work.isPending && <Spinner />}
            {words.confirm}
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
