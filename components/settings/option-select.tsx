import { Field, FieldControl, FieldDescription, FieldLabel } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

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
      <Select value={value} disabled={disabled} onValueChange={onChange}>
        <FieldControl>
          <SelectTrigger className="w-full sm:w-72">
            <SelectValue />
          </SelectTrigger>
        </FieldControl>
        <SelectContent>
          {choices.map((choice) => (
            <SelectItem key={choice.value} value={choice.value}>
              {choice.label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
      <FieldDescription>{description}</FieldDescription>
    </Field>
  );
}
