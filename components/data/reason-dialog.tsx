"use client";

import type { ReactElement } from "react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { ReasonedAction } from "@/components/data/reason-form";

type ReasonDialogProps = ReasonedAction & { trigger: ReactElement };

const load = async () => (await import("@/components/data/reason-form")).ReasonFormDialog;

/** A dialog for an action on a handle, with a reason for the history. */
export function ReasonDialog({ trigger, ...action }: ReasonDialogProps) {
  return <LazyOpen popup="dialog" load={load} props={action} trigger={trigger} />;
}
