"use client";

import { ArrowRightLeft } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { MoveLineProps } from "@/components/lines/move-line";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/lines/move-line")).MoveLine;

/** Opens the dialog that moves a line to another account. */
export function MoveLineButton(props: MoveLineProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <ArrowRightLeft aria-hidden="true" />
          Move
        </Button>
      }
    />
  );
}
