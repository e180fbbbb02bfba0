"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmAction } from "@/components/data/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Unblocks a handle, after a confirmation. */
export function UnblockHandle({ handle }: { handle: string }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="Unblock"
      name={`Unblock ${handle}`}
      icon={null}
      title={`Unblock ${handle}?`}
      description="New messages from this handle will be delivered and you can message it again. Messages dropped while it was blocked can't be recovered."
      confirm="Unblock"
      keep="Cancel"
      done={`${handle} unblocked`}
      failed="The handle could not be unblocked"
      isDestructive={false}
      action={async () => {
        await apiFetch("/api/blocked-handles", { method: "DELETE", body: { handle } });
        await queryClient.invalidateQueries();
      }}
    />
  );
}
