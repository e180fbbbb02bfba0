"use client";

import { type ComponentProps, useId } from "react";
import { Input } from "@/components/ui/input";

type TimeZoneInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "list"> & {
  value: string;
  onChange: (zone: string) => void;
};

/** An IANA time zone, with those that the browser knows as suggestions. */
export function TimeZoneInput({ value, onChange, ...input }: TimeZoneInputProps) {
  const listId = useId();
  return (
    <>
      <Input
        {...input}
        autoComplete="off"
        spellCheck={false}
        placeholder="Europe/Berlin"
        list={listId}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
