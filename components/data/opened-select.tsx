"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

export type SelectProps = {
  /** The name of the select. */
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string;
};

/** The select of `LazySelect`, open at first. */
export function OpenedSelect({ label, value, options, onChange, className }: SelectProps) {
  return (
    <Select defaultOpen value={value} onValueChange={onChange}>
      <SelectTrigger size="sm" aria-label={label} className={className}>
        <SelectValue />
      </SelectTrigger>
      <SelectContent className="max-w-[calc(100vw-1rem)]">
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
