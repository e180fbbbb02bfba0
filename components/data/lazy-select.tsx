"use client";

import { ChevronDown } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import type { SelectProps } from "@/components/data/opened-select";
import { SELECT_TRIGGER } from "@/components/ui/select-trigger";
import { cn } from "@/lib/cn";

const load = async () => (await import("@/components/data/opened-select")).OpenedSelect;

/** A small select whose list is loaded when it is first opened. Its value is visible before hydration. */
export function LazySelect(props: SelectProps) {
  const { label, value, options, className } = props;
  return (
    <LazyOpen
      popup="listbox"
      load={load}
      props={props}
      trigger={
        <button
          type="button"
          role="combobox"
          aria-expanded={false}
          aria-label={label}
          data-size="sm"
          className={cn(SELECT_TRIGGER, className)}
        >
          <span data-slot="select-value">{options.find((option) => option.value === value)?.label}</span>
          <ChevronDown />
        </button>
      }
    />
  );
}
