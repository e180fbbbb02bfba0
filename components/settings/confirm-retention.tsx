"use client";

import { useNameGuard } from "@/components/data/use-name-guard";
import { useCurrentAccount } from "@/components/shell/rights";
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

type ConfirmRetentionProps = {
  /** The age from which messages are erased, for example "2 hours". */
  age: string;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks whether to erase the content of older messages. */
export function ConfirmRetention({ age, onConfirm, onClose }: ConfirmRetentionProps) {
  const guard = useNameGuard(useCurrentAccount());
  return (
    <AlertDialog open onOpenChange={onClose}>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>Erase messages older than {age}?</AlertDialogTitle>
          <AlertDialogDescription>
            Trunkline erases the content of older messages in this account now, and of newer messages when
            they reach this age. You can't undo this.
          </AlertDialogDescription>
        </AlertDialogHeader>
        {guard.field}
        <AlertDialogFooter>
          <AlertDialogCancel>Cancel</AlertDialogCancel>
          <Button variant="destructive" disabled={!guard.isPassed} onClick={onConfirm}>
            Erase
          </Button>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
