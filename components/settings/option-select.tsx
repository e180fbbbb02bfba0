import { LazySelect } from "@/components/data/fields/lazy-select";
import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";

type OptionSelectProps = {
  name: string;
  description: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  disabled: boolean;
  onChange: (value: string) => void;
};

/** A select for an option with several values. */
export function OptionSelect({ name, description, value, choices, disabled, onChange }: OptionSelectProps) {
  return (
    <Field>
      <FieldLabel>{name}</FieldLabel>
      <FieldControl>
        <LazySelect
          className="w-full sm:w-72"
          value={value}
          options={choices}
          disabled={disabled}
          onChange={onChange}
        />
      </FieldControl>
      <FieldDescription>{description}</FieldDescription>
    </Field>
  );
}
