"use client";

import { LazyOpen } from "@/components/data/lazy-open";
import type { RollTokenProps } from "@/components/tokens/roll-token";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/tokens/roll-token")).RollToken;

/** Opens the dialog that replaces a token. */
export function RollTokenButton(props: RollTokenProps) {
  const { token } = props;
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm" aria-label={`Roll ${token.name}`}>
          Roll
        </Button>
      }
    />
  );
}
