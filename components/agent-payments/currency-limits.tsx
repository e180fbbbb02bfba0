import { X } from "lucide-react";
import {
  type CurrencyLimit,
  digitsOf,
  type LimitTexts,
  refuseAmount,
} from "@/components/agent-payments/limits";
import { Button } from "@/components/ui/button";
import { Field, FieldControl, FieldDescription, FieldError, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

const CAPS = [
  { name: "perPayment", label: "Per-payment limit", hint: "Leave empty for no limit." },
  { name: "perDay", label: "Daily limit per customer", hint: "Leave empty for no limit." },
  { name: "approvalAbove", label: "Require passkey above", hint: null },
] as const satisfies { name: keyof LimitTexts; label: string; hint: string | null }[];

type CurrencyLimitsProps = {
  limit: CurrencyLimit;
  /** No other currency has its own limits. */
  isOnly: boolean;
  /** Removes the currency's own limits; absent for the limits of all other currencies. */
  onRemove?: () => void;
  onChange: (part: Partial<LimitTexts>) => void;
};

/** The limits of one currency, or of all currencies without their own limits. */
export function CurrencyLimits({ limit, isOnly, onRemove, onChange }: CurrencyLimitsProps) {
  const { currency } = limit;
  const digits = digitsOf(currency);
  const name = currency?.toUpperCase() ?? (isOnly ? "Every currency" : "Every other currency");
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-lg border p-4 pt-3">
      <legend className="px-1 font-medium text-sm">{name}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {CAPS.map((cap) => {
          const refused = refuseAmount(limit[cap.name], currency, cap.name === "approvalAbove");
          return (
            <Field key={cap.name} invalid={refused !== null}>
              <FieldLabel>{cap.label}</FieldLabel>
              <FieldControl>
                <Input
                  inputMode={digits === 0 ? "numeric" : "decimal"}
                  autoComplete="off"
                  className="text-right tabular-nums"
                  value={limit[cap.name]}
                  onChange={(event) => onChange({ [cap.name]: event.target.value })}
                />
              </FieldControl>
              {cap.hint && <FieldDescription>{cap.hint}</FieldDescription>}
              <FieldError>{refused}</FieldError>
            </Field>
          );
        })}
      </div>
      {currency === null && (
        <p className="text-muted-foreground text-xs">
          Enter amounts with two decimals. For a currency without decimals, such as JPY, 100.00 means 10,000.
          Add separate limits for such a currency.
        </p>
      )}
      {onRemove && (
        <Button variant="ghost" size="sm" className="w-fit" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" />
          Remove
        </Button>
      )}
    </fieldset>
  );
}
