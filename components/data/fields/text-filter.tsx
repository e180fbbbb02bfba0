"use client";

import type { FormEvent } from "react";
import { useFieldText } from "@/components/data/fields/use-field-text";
import { Input } from "@/components/ui/input";
import { cn } from "@/lib/cn";

type TextFilterProps = {
  /** The name in the address, with which the browser submits the form until the page's script runs. */
  name: string;
  label: string;
  placeholder: string;
  /** The current filter text. */
  value: string;
  wide?: boolean | undefined;
  onChange: (text: string) => void;
};

/** Filters by the typed text, on Enter or when the field loses focus. */
export function TextFilter({ name, label, placeholder, value, wide = false, onChange }: TextFilterProps) {
  const [text, setText] = useFieldText(value);

  function apply(): void {
    if (text.trim() !== value) onChange(text.trim());
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    apply();
  }

  return (
    <form onSubmit={submit} className={cn("w-full min-w-0", wide ? "sm:w-104" : "sm:w-56")}>
      <Input
        type="search"
        name={name}
        aria-label={label}
        title={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        className="h-7.5 font-mono text-xs"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
    </form>
  );
}
