"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/confirm-action";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { apiFetch } from "@/lib/client/api-fetch";

/** Ends an endpoint for good, once the reader has confirmed it. */
export function DeleteEndpoint({ id }: { id: string }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="Delete"
      icon={<Trash2 aria-hidden="true" />}
      title="Delete this endpoint?"
      description="Nothing more is sent to it, what waits is skipped and its secret is wiped. This cannot be undone."
      confirm="Delete endpoint"
      keep="Keep it"
      done="The endpoint was deleted"
      failed="Not deleted"
      action={() => apiFetch(`/api/webhook-subscriptions/${id}`, { method: "DELETE" })}
      onDone={() => {
        router.push("/webhooks");
        void queryClient.invalidateQueries({ queryKey: [...webhooksKey, "list"] });
      }}
    />
  );
}
