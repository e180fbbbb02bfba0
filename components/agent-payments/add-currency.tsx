import { LazySelect } from "@/components/data/fields/lazy-select";

type AddCurrencyProps = { currencies: string[]; onAdd: (currency: string) => void };

/** Adds a currency with its own limits. */
export function AddCurrency({ currencies, onAdd }: AddCurrencyProps) {
  if (currencies.length === 0) return null;
  return (
    <LazySelect
      label="Add a currency"
      placeholder="Add a currency"
      size="sm"
      value=""
      options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
      onChange={onAdd}
    />
  );
}
