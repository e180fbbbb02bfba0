"use client";

import type { PaymentFields } from "@/components/payments/payment-fields";
import { TextField } from "@/components/payments/text-field";

type SubscriptionFieldsProps = {
  fields: Pick<PaymentFields, "priceId" | "quantity">;
  onChange: (part: Partial<PaymentFields>) => void;
};

/** The price and quantity of a subscription. */
export function SubscriptionFields({ fields, onChange }: SubscriptionFieldsProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-3">
      <TextField
        label="Price ID"
        required
        placeholder="price_…"
        note="The ID of a price at your processor. The price sets the amount, currency and interval."
        value={fields.priceId}
        onChange={(priceId) => onChange({ priceId })}
      />
      <TextField
        label="Quantity"
        type="number"
        min={1}
        max={10_000}
        className="w-28 text-right tabular-nums"
        value={fields.quantity}
        onChange={(quantity) => onChange({ quantity })}
      />
    </div>
  );
}
