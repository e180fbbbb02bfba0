import type { ActionFields } from "@/components/experiences/action-fields";
import { fieldLabel } from "@/components/experiences/field-label";
import { Field, FieldControl, FieldDescription, FieldError, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type FieldInputProps = {
  name: string;
  field: ActionFields[string];
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
};

/** The input for a field of an action. */
export function FieldInput({ name, field, text, problem, onChange }: FieldInputProps) {
  const { type, max, required = false } = field;
  const isNumber = type === "cents" || type === "int";
  return (
    <Field invalid={problem !== undefined}>
      <FieldLabel>{fieldLabel(name)}</FieldLabel>
      <FieldControl>
        <Input
          autoComplete="off"
          type={type === "url" ? "url" : "text"}
          inputMode={isNumber ? "numeric" : undefined}
          placeholder={type === "url" ? "https://…" : undefined}
          maxLength={max}
          required={required}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      </FieldControl>
      <FieldDescription>
        <code className="text-xs">{name}</code>: {describeField(field)}
      </FieldDescription>
      <FieldError>{problem && `${fieldLabel(name)} ${problem}`}</FieldError>
    </Field>
  );
}

const TYPES = {
  string: "Text",
  url: "HTTPS URL",
  cents: "Amount in minor units, such as cents",
  int: "Integer",
} as const satisfies Record<ActionFields[string]["type"], string>;

/** Describes the values that a field accepts. */
export function describeField({ type, max, required = false }: ActionFields[string]): string {
  const most = max === undefined ? "" : `, up to ${max} characters`;
  return `${TYPES[type]}${most}${required ? ", required" : ""}`;
}
