"use client";

import { Fingerprint } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { AddPasskeyProps } from "@/components/passkeys/add-passkey";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/passkeys/add-passkey")).AddPasskey;

/** Opens the form that adds a passkey. */
export function AddPasskeyButton(props: AddPasskeyProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button className="self-start">
          <Fingerprint />
          Add passkey
        </Button>
      }
    />
  );
}
