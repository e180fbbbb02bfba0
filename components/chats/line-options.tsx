import type { SelectOption } from "@/components/data/fields/opened-select";
import { Grouped } from "@/components/data/grouped";
import { lineText } from "@/lib/client/line-text";
import type { Line } from "@/lib/lines/lines/line";

/** Lines as options of a select, whose value is the line's `by`. */
export function lineOptions(lines: readonly Line[], by: "id" | "phone_number"): SelectOption[] {
  return lines.map((line) => ({
    value: line[by],
    label: lineText(line),
    content: (
      <>
        <span className="tabular-nums">
          <Grouped>{lineText(line)}</Grouped>
        </span>
        <span className="text-muted-foreground">{line.line_type}</span>
      </>
    ),
  }));
}
