import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

const MAX_NAME = 80;

type PasskeyNameFieldProps = { value: string; onChange: (value: string) => void };

/** The name by which a person recognizes a passkey. */
export function PasskeyNameField({ value, onChange }: PasskeyNameFieldProps) {
  return (
    <Field>
      <FieldLabel>Name</FieldLabel>
      <FieldControl>
        <Input maxLength={MAX_NAME} value={value} onChange={({ target }) => onChange(target.value)} />
      </FieldControl>
      <FieldDescription>The device or password manager that stores the passkey.</FieldDescription>
    </Field>
  );
}
