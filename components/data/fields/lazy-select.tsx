"use client";

import { ChevronDown } from "lucide-react";
import type { SelectProps } from "@/components/data/fields/opened-select";
import { Grouped } from "@/components/data/grouped";
import { LazyOpen } from "@/components/data/lazy-open";
import { SELECT_TRIGGER } from "@/components/ui/select-trigger";
import { cn } from "@/lib/cn";

const load = async () => (await import("@/components/data/fields/opened-select")).OpenedSelect;

/** A select whose list is loaded when it is first opened. Its value is visible before hydration. */
export function LazySelect(select: SelectProps) {
  const { label, value, options, size = "default", placeholder, className, onChange, ...trigger } = select;
  const chosen = options.find((option) => option.value === value);
  return (
    <LazyOpen
      popup="listbox"
      load={load}
      props={select}
      trigger={
        <button
          {...trigger}
          type="button"
          role="combobox"
          aria-expanded={false}
          aria-label={label}
          data-size={size}
          data-placeholder={chosen === undefined ? "" : undefined}
          className={cn(SELECT_TRIGGER, className)}
        >
          <span data-slot="select-value">
            {chosen ? (chosen.content ?? <Grouped>{chosen.label}</Grouped>) : placeholder}
          </span>
          <ChevronDown />
        </button>
      }
    />
  );
}
