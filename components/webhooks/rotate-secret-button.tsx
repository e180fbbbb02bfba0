"use client";

import { KeyRound } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { RotateSecretProps } from "@/components/webhooks/rotate-secret";

const load = async () => (await import("@/components/webhooks/rotate-secret")).RotateSecret;

/** Opens the dialog that rotates an endpoint's signing secret. */
export function RotateSecretButton(props: RotateSecretProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <KeyRound aria-hidden="true" />
          Rotate secret
        </Button>
      }
    />
  );
}
