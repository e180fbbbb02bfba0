"use client";

import { AddressedDialog } from "@/components/data/dialogs/addressed-dialog";
import type { FlagLineProps } from "@/components/lines/flag-line";
import { FLAG_WORDS } from "@/components/lines/flag-words";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/lines/flag-line")).FlagLine;

/** Opens the confirmation that flags a line or clears its flag, as does `?dialog=flag`. */
export function FlagLineButton(props: FlagLineProps) {
  const { action, icon: Icon } = FLAG_WORDS[props.line.status === "FLAGGED" ? "ACTIVE" : "FLAGGED"];
  return (
    <AddressedDialog
      name="flag"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Icon aria-hidden="true" />
          {action}
        </Button>
      }
    />
  );
}
