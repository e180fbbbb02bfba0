"use client";

import type { ReactNode } from "react";
import { Grouped } from "@/components/data/grouped";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

/** `content` replaces the label, for example with a second, gray text. */
export type SelectOption = { value: string; label: string; content?: ReactNode };

export type SelectProps = {
  /** The accessible name. Not needed in a `FieldControl` or with a `<label>` for `id`. */
  label?: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  size?: "sm" | "default";
  disabled?: boolean;
  /** The text while no option has the value. */
  placeholder?: string;
  className?: string;
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
};

/** The select of `LazySelect`, open at first. */
export function OpenedSelect({
  label,
  value,
  options,
  onChange,
  disabled,
  placeholder,
  ...trigger
}: SelectProps) {
  return (
    <Select defaultOpen value={value} onValueChange={onChange} {...(disabled !== undefined && { disabled })}>
      <SelectTrigger aria-label={label} {...trigger}>
        <SelectValue placeholder={placeholder} />
      </SelectTrigger>
      <SelectContent className="max-w-[calc(100vw-1rem)]">
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.content ?? <Grouped>{option.label}</Grouped>}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
