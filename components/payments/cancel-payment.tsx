"use client";

import { ConfirmAction } from "@/components/data/dialogs/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Cancels a payment request after a confirmation. */
export function CancelPayment({ id, onCanceled }: { id: string; onCanceled: () => void }) {
  return (
    <ConfirmAction
      label="Cancel request"
      title="Cancel this payment request?"
      description="The link stops working immediately. If the payer completes the payment first, the request ends as paid."
      confirm="Cancel request"
      keep="Keep request"
      done="Payment request canceled"
      failed="The payment request was not canceled"
      action={() => apiFetch(`/api/payment-requests/${id}/cancel`, { method: "POST" })}
      onDone={onCanceled}
    />
  );
}
