import { StatusBadge } from "@/components/data/status-badge";
import type { LineSettings } from "@/lib/lines/overview/list-line-settings";

/** The status of a line, and whether its transport reports it as down. */
export function LineState({ line }: { line: Pick<LineSettings, "status" | "is_up"> }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 sm:justify-start">
      <StatusBadge kind="line" value={line.status} />
      {!line.is_up && <StatusBadge kind="connection" value="down" />}
    </span>
  );
}
