"use client";

import type { LazySelectProps } from "@/components/data/lazy-select";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

/** The select of `LazySelect`, open at first. */
export function OpenedSelect({ label, value, options, onChange, className }: LazySelectProps) {
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
