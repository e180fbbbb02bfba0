import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import type { Line } from "@/lib/lines/lines/line";

type LineSelectProps = { lines: Line[]; line: string; onChange: (line: string) => void };

/** Selects the line that starts the chat. */
export function LineSelect({ lines, line, onChange }: LineSelectProps) {
  return (
    <Field>
      <FieldLabel>From line</FieldLabel>
      <Select value={line} onValueChange={onChange}>
        <FieldControl>
          <SelectTrigger className="w-full">
            <SelectValue />
          </SelectTrigger>
        </FieldControl>
        <SelectContent>
          {lines.map(({ id, phone_number, line_type }) => (
            <SelectItem key={id} value={phone_number}>
              <span className="tabular-nums">{phone_number}</span>
              <span className="text-muted-foreground">{line_type}</span>
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </Field>
  );
}
