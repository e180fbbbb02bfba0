"use client";

import type { ReactElement, ReactNode } from "react";
import { LazyOpen } from "@/components/data/lazy-open";

export type ReasonedAction = {
  title: string;
  /** Describes the effect of the action. */
  description: ReactNode;
  /** The label of the submit button. */
  action: string;
  /** The handle to act on; null shows a field for it. */
  handle: string | null;
  /** Whether a reason must be given. */
  reasonRequired: boolean;
  run: (handle: string, reason: string) => Promise<unknown>;
};

type ReasonDialogProps = ReasonedAction & { trigger: ReactElement };

const load = async () => (await import("@/components/data/reason-form")).ReasonFormDialog;

/** A dialog for an action on a handle, with a reason for the history. */
export function ReasonDialog({ trigger, ...action }: ReasonDialogProps) {
  return <LazyOpen popup="dialog" load={load} props={action} trigger={trigger} />;
}
