import type { LineSettings } from "@/lib/lines/lines/list-line-settings";

/** How the lines are narrowed, as the address of the page has it. Absent = not by this. */
export interface LineFilter {
  /** Part of the number. */
  q?: string;
  status?: string;
  type?: string;
  reputation?: string;
}

const NAMES = ["q", "status", "type", "reputation"] as const satisfies (keyof LineFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readLineFilter(query: Record<string, string | string[] | undefined>): LineFilter {
  const filter: LineFilter = {};
  for (const name of NAMES) {
    const value = [query[name]].flat()[0];
    if (value !== undefined && value !== "") filter[name] = value;
  }
  return filter;
}

type Narrowed = Pick<LineSettings, "phone_number" | "status" | "is_up" | "line_type" | "reputation">;

/** The lines a filter leaves. A status is the line's, or `down`. How a number is written does not matter. */
export function filterLines<Line extends Narrowed>(lines: readonly Line[], filter: LineFilter): Line[] {
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
