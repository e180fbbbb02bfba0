"use client";

import { Plus } from "lucide-react";
import { AddressedDialog } from "@/components/data/dialogs/addressed-dialog";
import { Button } from "@/components/ui/button";
import type { EndpointChoices } from "@/components/webhooks/endpoint-form";

const load = async () => (await import("@/components/webhooks/add-endpoint-dialog")).AddEndpointDialog;

/** Asks for the endpoint's URL and events, then shows the signing secret once. */
export function AddEndpoint({ choices }: { choices: EndpointChoices }) {
  return (
    <AddressedDialog
      name="endpoint"
      load={load}
      props={{ choices }}
      trigger={
        <Button>
          <Plus />
          Add endpoint
        </Button>
      }
    />
  );
}
