import { RecordBadge } from "@/components/data/record-badge";
import type { LineView } from "@/lib/lines/overview/list-line-views";

/** The status of a line, and whether its transport reports it as down. */
export function LineState({ line }: { line: Pick<LineView, "status" | "is_up"> }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 sm:justify-start">
      <RecordBadge kind="line" value={line.status} />
      {!line.is_up && <RecordBadge kind="connection" value="down" />}
    </span>
  );
}
