"use client";

import { ConfirmDeed } from "@/components/data/confirm-deed";
import { apiFetch } from "@/lib/client/api-fetch";

/** Ends a customer's consent, once the reader has confirmed it. */
export function RevokeConsent({ handle, onDone }: { handle: string; onDone: () => void }) {
  return (
    <ConfirmDeed
      label="Revoke"
      name={`Revoke ${handle}`}
      title={`Revoke the consent of ${handle}?`}
      description="Agents can pay for this customer no more until they consent again, and cards nobody has charged are closed."
      confirm="Revoke consent"
      keep="Keep it"
      done={`The consent of ${handle} is revoked`}
      failed="Not revoked"
      deed={() =>
        apiFetch(`/api/agent-payments/connections/${encodeURIComponent(handle)}`, { method: "DELETE" })
      }
      onDone={onDone}
    />
  );
}
