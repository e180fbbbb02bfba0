"use client";

import { RotateCw } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { ReplayDialogProps } from "@/components/webhooks/replays/replay-dialog";

const load = async () => (await import("@/components/webhooks/replays/replay-dialog")).ReplayDialog;

type ReplayButtonProps = ReplayDialogProps & {
  label: string;
  startsOpen?: boolean;
  size?: "sm" | "default";
};

/** Opens the form that starts a replay. */
export function ReplayButton({ label, startsOpen = false, size = "sm", ...form }: ReplayButtonProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={form}
      startsOpen={startsOpen}
      trigger={
        <Button variant="outline" size={size}>
          <RotateCw aria-hidden="true" />
          {label}
        </Button>
      }
    />
  );
}
