"use client";

import { ConfirmAction } from "@/components/data/confirm-action";
import { apiFetch } from "@/lib/client/api-fetch";

/** Cancels a payment request, once the reader has confirmed it. */
export function CancelPayment({ id, onCanceled }: { id: string; onCanceled: () => void }) {
  return (
    <ConfirmAction
      label="Cancel request"
      title="Cancel this payment request?"
      description="Its link stops working at once and cannot be used again. If the payer is faster, it ends as paid."
      confirm="Cancel the request"
      keep="Keep it"
      done="The payment request is canceled"
      failed="Not canceled"
      action={() => apiFetch(`/api/payment-requests/${id}/cancel`, { method: "POST" })}
      onDone={onCanceled}
    />
  );
}
