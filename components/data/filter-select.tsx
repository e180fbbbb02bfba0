"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

// No filter has this value; an empty one is not allowed here.
const ALL = "*";

type FilterSelectProps = {
  /** What is chosen, as in "Method": names the box. */
  name: string;
  /** The choice that does not narrow, as in "All methods". */
  all: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
};

/** One of several values, or all. A value that came with the address and is none of them is shown too. */
export function FilterSelect({ name, all, value, options, onChange }: FilterSelectProps) {
  const known = value === undefined || options.some((option) => option.value === value);
  const choices = known ? options : [...options, { value, label: value }];
  return (
    <Select value={value ?? ALL} onValueChange={(chosen) => onChange(chosen === ALL ? undefined : chosen)}>
      <SelectTrigger
        size="sm"
        aria-label={name}
        className="max-w-72 max-sm:w-full max-sm:min-w-0 max-sm:max-w-none"
      >
        {/* Said here, so that it stands there before the page's script runs. */}
        <SelectValue>{choices.find((choice) => choice.value === value)?.label ?? all}</SelectValue>
      </SelectTrigger>
      <SelectContent className="max-w-[calc(100vw-1rem)]">
        <SelectItem value={ALL}>{all}</SelectItem>
        {choices.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
