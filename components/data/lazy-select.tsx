"use client";

import { ChevronDown } from "lucide-react";
import { LazyOpen } from "@/components/data/lazy-open";
import { SELECT_TRIGGER } from "@/components/ui/select-trigger";
import { cn } from "@/lib/cn";

export type LazySelectProps = {
  /** The name of the select. */
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string;
};

const load = async () => (await import("@/components/data/opened-select")).OpenedSelect;

/** A small select whose list is loaded when it is first opened. Its value is visible before hydration. */
export function LazySelect(props: LazySelectProps) {
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
