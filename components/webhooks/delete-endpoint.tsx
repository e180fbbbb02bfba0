"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { webhooksKey } from "@/components/webhooks/webhooks-key";
import { apiFetch } from "@/lib/client/api-fetch";

/** Deletes an endpoint permanently after a confirmation. */
export function DeleteEndpoint({ id }: { id: string }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      needsName
      label="Delete"
      icon={<Trash2 aria-hidden="true" />}
      title="Delete this endpoint?"
      description="Trunkline stops delivering to this endpoint, skips pending deliveries and deletes its signing secret. You can't undo this."
      confirm="Delete endpoint"
      keep="Keep endpoint"
      done="The endpoint was deleted"
      failed="The endpoint was not deleted"
      action={() => apiFetch(`/api/webhook-subscriptions/${id}`, { method: "DELETE" })}
      onDone={() => {
        router.push("/webhooks");
        void queryClient.invalidateQueries({ queryKey: [...webhooksKey, "list"] });
      }}
    />
  );
}
