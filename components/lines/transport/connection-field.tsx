"use client";

import { LazySelect } from "@/components/data/fields/lazy-select";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { TransportField } from "@/lib/lines/transports/transport-fields";

type ConnectionFieldProps = {
  field: TransportField;
  value: string;
  /** A secret that is stored already: an empty input keeps it. */
  isStored: boolean;
  onChange: (value: string) => void;
};

/** One setting of a connection. Stored secrets are never shown. */
export function ConnectionField({ field, value, isStored, onChange }: ConnectionFieldProps) {
  const { label, help, is_secret, is_required, options } = field;
  const defaultValue = field.default ?? "";
  return (
    <Field>
      <FieldLabel>
        {label}
        {!is_required && <span className="font-normal text-muted-foreground"> (optional)</span>}
      </FieldLabel>
      {options === null ? (
        <FieldControl>
          <Input
            type={is_secret ? "password" : "text"}
            autoComplete={is_secret ? "new-password" : "off"}
            spellCheck={false}
            className="font-mono sm:max-w-xl"
            placeholder={isStored ? "Stored. Leave empty to keep it." : defaultValue}
            required={is_required && !isStored}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </FieldControl>
      ) : (
        <FieldControl>
          <LazySelect
            value={value === "" ? defaultValue : value}
            options={options.map((option) => ({ value: option, label: option }))}
            className="w-full sm:w-72"
            onChange={onChange}
          />
        </FieldControl>
      )}
      <FieldDescription>{help}</FieldDescription>
    </Field>
  );
}
