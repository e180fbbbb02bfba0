"use client";

import type { ReactElement } from "react";
import type { ReasonedAction } from "@/components/data/dialogs/reason-form";
import { useAskedDialog } from "@/components/data/dialogs/use-asked-dialog";
import { LazyOpen } from "@/components/data/lazy-open";

type ReasonDialogProps = Omit<ReasonedAction, "suggested"> & {
  trigger: ReactElement;
  /** The name in `?dialog=` that opens the dialog too, with the handle in `&about=`. */
  address?: string;
};

const load = async () => (await import("@/components/data/dialogs/reason-form")).ReasonFormDialog;

/** A dialog for an action on a handle, with a reason for the history. */
export function ReasonDialog({ trigger, address, ...action }: ReasonDialogProps) {
  const { times, subject } = useAskedDialog(address);
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={{ ...action, suggested: subject }}
      trigger={trigger}
      asked={times}
    />
  );
}
