"use client";

import { CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

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
  action: () => Promise<unknown>;
  onDone?: () => void;
};

type ConfirmActionProps = Confirmation & {
  /** The label of the trigger button. */
  label: ReactNode;
  icon?: ReactNode;
  /** The accessible name of the trigger, if the label alone is ambiguous. */
  name?: string;
};

const CANCEL = <CircleX aria-hidden="true" />;
const load = async () => (await import("@/components/data/confirm-dialog")).ConfirmDialog;

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
