import "server-only";
import { z } from "zod";
import type { Line } from "@/lib/lines/lines/line";
import { maxUnits } from "@/lib/platform/text/max-units";

/** The filters of an account's lines. */
export const lineFilterFields = {
  /** Part of the number; formatting does not matter. */
  q: z.string().trim().check(maxUnits(40)).optional(),
  /** The status of the line, or `down` while it is not connected. */
  status: z.enum(["ACTIVE", "FLAGGED", "down"]).optional(),
  type: z.enum(["iMessage", "RCS"]).optional(),
  reputation: z.enum(["HEALTHY", "AT_RISK", "CRITICAL"]).optional(),
};

const LineFilter = z.object(lineFilterFields);
type LineFilter = z.infer<typeof LineFilter>;

type Filtered = Pick<z.infer<typeof Line>, "phone_number" | "status" | "line_type" | "reputation"> & {
  is_up: boolean;
};

/** The lines that match a filter. */
export function filterLines<Each extends Filtered>(lines: readonly Each[], filter: LineFilter): Each[] {
  const digits = filter.q?.replace(/\D/g, "");
  return lines.filter(
    (line) =>
      (digits === undefined || line.phone_number.includes(digits)) &&
      (filter.status === undefined ||
        (filter.status === "down" ? !line.is_up : line.status === filter.status)) &&
      (filter.type === undefined || line.line_type === filter.type) &&
      (filter.reputation === undefined || line.reputation.status === filter.reputation),
  );
}
