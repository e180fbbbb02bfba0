import "server-only";
import { z } from "zod";
import type { Line } from "@/lib/lines/lines/line";
import { maxUnits } from "@/lib/platform/text/max-units";

/** The filters of an account's lines. */
export const lineFilterFields = {
  /** Part of the number, whose formatting does not matter, or of the label. */
  q: z.string().trim().check(maxUnits(40)).optional(),
  /** The status of the line, or `down` while it is not connected. */
  status: z.enum(["ACTIVE", "FLAGGED", "down"]).optional(),
  type: z.enum(["iMessage", "RCS"]).optional(),
  reputation: z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]).optional(),
};

const LineFilter = z.object(lineFilterFields);
type LineFilter = z.infer<typeof LineFilter>;

type Filtered = Pick<
  z.infer<typeof Line>,
  "phone_number" | "label" | "status" | "line_type" | "reputation"
> & {
  is_up: boolean;
};

/** The lines that match a filter. */
export function filterLines<Each extends Filtered>(lines: readonly Each[], filter: LineFilter): Each[] {
  const isFound = finder(filter.q ?? "");
  return lines.filter(
    (line) =>
      isFound(line) &&
      (filter.status === undefined ||
        (filter.status === "down" ? !line.is_up : line.status === filter.status)) &&
      (filter.type === undefined || line.line_type === filter.type) &&
      (filter.reputation === undefined || line.reputation.status === filter.reputation),
  );
}

function finder(q: string): (line: Pick<Filtered, "phone_number" | "label">) => boolean {
  const text = q.toLowerCase();
  const digits = q.replace(/\D/g, "");
  const isNumber = /^[\d\s().+-]*$/.test(q);
  return ({ phone_number, label }) =>
    label?.toLowerCase().includes(text) || (isNumber && phone_number.includes(digits)) || text === "";
}
