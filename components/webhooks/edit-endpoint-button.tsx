"use client";

import { Pencil } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { Button } from "@/components/ui/button";
import type { EditEndpointProps } from "@/components/webhooks/edit-endpoint";

const load = async () => (await import("@/components/webhooks/edit-endpoint")).EditEndpoint;

/** Opens the form that changes an endpoint. */
export function EditEndpointButton(props: EditEndpointProps) {
  return (
    <LazyOpen
      popup="dialog"
      load={load}
      props={props}
      trigger={
        <Button variant="outline" size="sm">
          <Pencil aria-hidden="true" />
          Edit
        </Button>
      }
    />
  );
}
