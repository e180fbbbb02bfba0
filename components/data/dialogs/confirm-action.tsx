"use client";

import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import type { Confirmation } from "@/components/data/dialogs/confirm-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

type ConfirmActionProps = Confirmation & {
  /** The label of the trigger button. */
  label: ReactNode;
  icon?: ReactNode;
  /** The accessible name of the trigger, if the label alone is ambiguous. */
  name?: string;
};

const CANCEL = <CircleX aria-hidden="true" />;
const load = async () => (await import("@/components/data/dialogs/confirm-dialog")).ConfirmDialog;

/** A button whose action needs a confirmation. Errors are shown in the dialog. */
export function ConfirmAction({ label, icon = CANCEL, name, ...confirmation }: ConfirmActionProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={confirmation}
      trigger={
        <Button variant="outline" size="sm" aria-label={name}>
          {icon}
          {label}
        </Button>
      }
    />
  );
}
