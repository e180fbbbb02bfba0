"use client";

import { KeyRound } from "lucide-react";
import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Deletes a customer's passkeys after a confirmation, for example when a device was lost. */
export function ResetPasskeys({ handle, onDone }: { handle: string; onDone: () => void }) {
  return (
    <ConfirmAction
      needsName
      label="Reset passkey"
      icon={<KeyRound aria-hidden="true" />}
      name={`Reset the passkey of ${handle}`}
      title={`Reset the passkey of ${handle}?`}
      description="The customer stays connected. To approve the next payment, the customer creates a new passkey with a code sent to this number."
      confirm="Reset passkey"
      keep="Cancel"
      done={`The passkey of ${handle} was reset`}
      failed="The passkey could not be reset"
      action={() =>
        apiFetch(`/api/agent-payments/connections/${encodeURIComponent(handle)}/passkeys`, {
          method: "DELETE",
        })
      }
      onDone={onDone}
    />
  );
}
