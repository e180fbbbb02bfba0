import { lineOptions } from "@/components/chats/line-options";
import { LazySelect } from "@/components/data/fields/lazy-select";
import { Field, FieldControl, FieldLabel } from "@/components/ui/field";
import type { Line } from "@/lib/lines/lines/line";

type LineSelectProps = { lines: Line[]; line: string; onChange: (line: string) => void };

/** Selects the line that starts the chat. */
export function LineSelect({ lines, line, onChange }: LineSelectProps) {
  return (
    <Field>
      <FieldLabel>From line</FieldLabel>
      <FieldControl>
        <LazySelect
          className="w-full"
          value={line}
          options={lineOptions(lines, "phone_number")}
          onChange={onChange}
        />
      </FieldControl>
    </Field>
  );
}
