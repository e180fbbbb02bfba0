"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmAction } from "@/components/data/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Ends a block, once the reader has confirmed it. */
export function UnblockHandle({ handle }: { handle: string }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="Unblock"
      name={`Unblock ${handle}`}
      icon={null}
      title={`Unblock ${handle}?`}
      description="What they write arrives again from now on, and they can be messaged. What was dropped meanwhile is lost."
      confirm="Unblock"
      keep="Keep the block"
      done={`${handle} is no longer blocked`}
      failed="They are still blocked"
      isDestructive={false}
      action={async () => {
        await apiFetch("/api/blocked-handles", { method: "DELETE", body: { handle } });
        await queryClient.invalidateQueries();
      }}
    />
  );
}
