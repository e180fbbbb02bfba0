import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

type AddCurrencyProps = { currencies: string[]; onAdd: (currency: string) => void };

/** Adds a currency with its own limits. */
export function AddCurrency({ currencies, onAdd }: AddCurrencyProps) {
  if (currencies.length === 0) return null;
  return (
    <Select value="" onValueChange={onAdd}>
      <SelectTrigger size="sm" aria-label="Add a currency" className="w-fit">
        <SelectValue placeholder="Add a currency" />
      </SelectTrigger>
      <SelectContent>
        {currencies.map((code) => (
          <SelectItem key={code} value={code}>
            {code.toUpperCase()}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
