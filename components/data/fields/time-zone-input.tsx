"use client";

import { type ComponentProps, useId, useState } from "react";
import { Input } from "@/components/ui/input";

type TimeZoneInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange" | "list"> & {
  value: string;
  onChange: (zone: string) => void;
};

/** An IANA time zone, with those that the browser knows as suggestions. */
export function TimeZoneInput({ value, onChange, ...input }: TimeZoneInputProps) {
  const listId = useId();
  // The server may know others than the browser.
  const [zones, setZones] = useState<readonly string[]>([]);
  return (
    <>
      <Input
        {...input}
        autoComplete="off"
        spellCheck={false}
        placeholder="Europe/Berlin"
        list={listId}
        onFocus={() => setZones(Intl.supportedValuesOf("timeZone"))}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
