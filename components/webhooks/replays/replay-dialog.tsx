"use client";

import { useState } from "react";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { ReplayForm, type ReplayFormProps } from "@/components/webhooks/replays/replay-form";

export type ReplayDialogProps = Omit<ReplayFormProps, "onStarted">;

/** Starts a replay, after a preview of how many events it would send. */
export function ReplayDialog({ trigger, ...form }: ReplayDialogProps & LoadedPopup) {
  const [open, setOpen] = useState(true);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="sm:max-w-2xl">
        <ReplayForm {...form} onStarted={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}
