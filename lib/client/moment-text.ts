/**
 * "2026-01-21 22:59:45 +01:00" in the given time zone, by default the browser's, or "2026-01-21 22:00 UTC" without seconds
 * and without an offset. `readMoment` reads the text as the same time, which names of zones such as CET would not allow.
 */
export function momentText(ms: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
    timeZoneName: "longOffset",
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute, second, zone = ""] = (
    ["year", "month", "day", "hour", "minute", "second", "timeZoneName"] as const
  ).map((part) => parts.get(part));
  const fraction = ms % 1000 === 0 ? "" : `.${String(((ms % 1000) + 1000) % 1000).padStart(3, "0")}`;
  const seconds = second === "00" && fraction === "" ? "" : `:${second}${fraction}`;
  return `${year}-${month}-${day} ${hour}:${minute}${seconds} ${zone.replace(/^GMT(\+00:00)?/, "") || "UTC"}`;
}
