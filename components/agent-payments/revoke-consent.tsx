"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

const LISTS = ["/api/agent-payments", "/api/agent-payments/connections"];

/** Ends a customer's consent after a confirmation. */
export function RevokeConsent({ handle }: { handle: string }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmAction
      label="Revoke"
      name={`Revoke ${handle}`}
      title={`Revoke the consent of ${handle}?`}
      description="Agents can't pay on behalf of this customer until the customer consents again. Cards that have not been charged are closed."
      confirm="Revoke consent"
      keep="Keep consent"
      done={`The consent of ${handle} was revoked`}
      failed="The consent was not revoked"
      action={() =>
        apiFetch(`/api/agent-payments/connections/${encodeURIComponent(handle)}`, { method: "DELETE" })
      }
      onDone={() => {
        for (const path of LISTS) void queryClient.invalidateQueries({ queryKey: [path] });
      }}
    />
  );
}
