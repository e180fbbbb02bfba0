"use client";

import { RotateCw } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { ReplayDialogProps } from "@/components/webhooks/replays/replay-dialog";

const load = async () => (await import("@/components/webhooks/replays/replay-dialog")).ReplayDialog;

/** Opens the form that starts a replay. */
export function ReplayButton({ label, ...form }: ReplayDialogProps & { label: string }) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={form}
      trigger={
        <Button variant="outline" size="sm">
          <RotateCw aria-hidden="true" />
          {label}
        </Button>
      }
    />
  );
}
