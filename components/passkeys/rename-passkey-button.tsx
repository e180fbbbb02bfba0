"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import type { RenamePasskeyProps } from "@/components/passkeys/rename-passkey";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/passkeys/rename-passkey")).RenamePasskey;

/** Opens the form that renames a passkey. */
export function RenamePasskeyButton(props: RenamePasskeyProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm" aria-label={`Rename ${props.passkey.name}`}>
          Rename
        </Button>
      }
    />
  );
}
