"use client";

import { Clock } from "lucide-react";
import type { TimeZoneDialogProps } from "@/components/customers/time-zone-dialog";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/customers/time-zone-dialog")).TimeZoneDialog;

/** Opens the form that sets a person's time zone. */
export function TimeZoneButton(props: TimeZoneDialogProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Clock aria-hidden="true" />
          {props.timeZone ?? "Set time zone"}
        </Button>
      }
    />
  );
}
