"use client";

import type { LoadedPopup } from "@/components/data/lazy-open";
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

export type CancelReplayProps = { onConfirm: () => void };

/** Cancels a running replay after a confirmation. */
export function CancelReplay({ onConfirm, trigger }: CancelReplayProps & LoadedPopup) {
  return (
    <AlertDialog defaultOpen>
      <AlertDialogTrigger asChild>{trigger}</AlertDialogTrigger>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Cancel this replay?</AlertDialogTitle>
          <AlertDialogDescription>
            Events that were already sent are not affected. The remaining events are not sent.
          </AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter>
          <AlertDialogCancel>Continue replay</AlertDialogCancel>
          <AlertDialogAction variant="destructive" onClick={onConfirm}>
            Cancel replay
          </AlertDialogAction>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
