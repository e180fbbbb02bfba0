"use client";

import { Route } from "lucide-react";
import type { TransportMenuProps } from "@/components/composer/transport-menu";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";

const load = async () => (await import("@/components/composer/transport-menu")).TransportMenu;

/** Opens the menu of transports. */
export function TransportMenuButton(props: TransportMenuProps) {
  const { transport } = props;
  return (
    <LazyOpen
      popup="menu"
      load={load}
      props={props}
      trigger={
        <Button
          variant={transport === null ? "ghost" : "secondary"}
          size="sm"
          aria-label={`Transport: ${transport ?? "best available"}`}
          title="Transport"
        >
          <Route />
          {transport}
        </Button>
      }
    />
  );
}
