"use client";

import { Pencil } from "lucide-react";
import type { NameDialogProps } from "@/components/customers/name-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/customers/name-dialog")).NameDialog;

/** Opens the form that names a handle. */
export function NameButton(props: NameDialogProps) {
  const { name } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Pencil aria-hidden="true" />
          {name === null ? "Add name" : "Change name"}
        </Button>
      }
    />
  );
}
