"use client";

import { LazySelect } from "@/components/data/fields/lazy-select";
import type { PaymentFields } from "@/components/payments/payment-fields";
import { TextField } from "@/components/payments/text-field";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { minorUnits, writeAmount } from "@/lib/platform/text/money";

type AmountFieldsProps = {
  fields: Pick<PaymentFields, "amount" | "currency">;
  /** Currency codes. */
  currencies: readonly string[];
  onChange: (part: Partial<PaymentFields>) => void;
};

/** The amount and its currency, with the currency's number of decimals. */
export function AmountFields({ fields, currencies, onChange }: AmountFieldsProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-3">
      <TextField
        label="Amount"
        inputMode="decimal"
        required
        className="text-right tabular-nums"
        placeholder={writeAmount(minorUnits(0, fields.currency), fields.currency)}
        value={fields.amount}
        onChange={(amount) => onChange({ amount })}
      />
      <Field className="w-28">
        <FieldLabel>Currency</FieldLabel>
        <FieldControl>
          <LazySelect
            className="w-full"
            value={fields.currency}
            options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
            onChange={(currency) => onChange({ currency })}
          />
        </FieldControl>
      </Field>
    </div>
  );
}
