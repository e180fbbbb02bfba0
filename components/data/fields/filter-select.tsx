"use client";

import { LazySelect } from "@/components/data/fields/lazy-select";

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
    <LazySelect
      label={name}
      size="sm"
      value={value ?? ALL}
      options={[{ value: ALL, label: all }, ...choices]}
      onChange={(chosen) => onChange(chosen === ALL ? undefined : chosen)}
      className="max-w-72 max-sm:w-full max-sm:min-w-0 max-sm:max-w-none"
    />
  );
}
