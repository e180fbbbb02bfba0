"use client";

import { Plus } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { AddLineProps } from "@/components/lines/add-line";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/lines/add-line")).AddLine;

/** Opens the form that adds a line. */
export function AddLineButton(props: AddLineProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button>
          <Plus aria-hidden="true" />
          Add line
        </Button>
      }
    />
  );
}
