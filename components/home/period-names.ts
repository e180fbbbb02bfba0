import { formatClock, formatDate } from "@/components/data/time/format-time";
import type { Home } from "@/lib/runtime/dashboard/get-home";

/** The short and the full name of a period that starts at `at`, in the time zone of the figures. */
export function periodNames({ range, zone }: Pick<Home, "range" | "zone">, at: string) {
  const ms = Date.parse(at);
  const day = formatDate(ms, zone).replace(/ \d{4}$/, "");
  const clock = formatClock(ms, zone);
  if (range === "24h") return { label: clock, title: `${day}, ${clock}` };
  if (range === "7d") return { label: day, title: `${day}, ${clock}` };
  return { label: day, title: day };
}

/** The start of a period in UTC, beside its name in another time zone. */
export function utcName(at: string): string {
  const ms = Date.parse(at);
  return `${formatDate(ms, "UTC").replace(/ \d{4}$/, "")}, ${formatClock(ms, "UTC")} UTC`;
}
