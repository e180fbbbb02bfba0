"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { consumersKey } from "@/components/webhooks/consumers/consumers-key";
import { apiFetch } from "@/lib/client/api-fetch";

/** Deletes a consumer with its position after a confirmation. */
export function DeleteConsumer({ name }: { name: string }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      needsName
      label="Delete"
      icon={<Trash2 aria-hidden="true" />}
      title={`Delete ${name}?`}
      description="Trunkline forgets the position of this consumer, and its program gets an error at the next poll. The events stay in the log. You can't undo this."
      confirm="Delete consumer"
      keep="Keep consumer"
      done="The consumer was deleted"
      failed="The consumer was not deleted"
      action={() => apiFetch(`/api/webhooks/consumers/${name}`, { method: "DELETE" })}
      onDone={() => {
        router.push("/webhooks/consumers");
        void queryClient.invalidateQueries({ queryKey: consumersKey });
      }}
    />
  );
}
