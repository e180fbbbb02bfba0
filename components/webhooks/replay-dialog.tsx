"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { ReplayForm, type ReplayFormProps } from "@/components/webhooks/replay-form";

type ReplayDialogProps = Omit<ReplayFormProps, "onStarted"> & { label: string };

/** Starts a replay, after a preview of how many events it would send. */
export function ReplayDialog({ label, ...form }: ReplayDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm">
          <RotateCw aria-hidden="true" />
          {label}
        </Button>
      </DialogTrigger>
      <DialogContent className="sm:max-w-2xl">
        <ReplayForm {...form} onStarted={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}
