"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

// Select items can't have an empty value.
const ALL = "*";

type FilterSelectProps = {
  /** The name of the filter, for example "Method". */
  name: string;
  /** The label of the unfiltered choice, for example "All methods". */
  all: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
};

/** Filters by one of several values. An unknown value from the URL is added to the options. */
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
        {/* The explicit label is rendered before hydration. */}
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
