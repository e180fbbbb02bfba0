type Step = { limitSeconds: number; unitSeconds: number; unit: string };

const steps: Step[] = [
  { limitSeconds: 60, unitSeconds: 1, unit: "sec" },
  { limitSeconds: 3600, unitSeconds: 60, unit: "min" },
  { limitSeconds: 86_400, unitSeconds: 3600, unit: "hr" },
  { limitSeconds: 604_800, unitSeconds: 86_400, unit: "d" },
];

// Clocks differ by a few seconds, and "in 3 sec" for a past event would look like a bug.
const nowSeconds = 20;

/** "just now", "4 min ago" or "in 2 hr"; null for times a week or more away. */
export function formatRelative(thenMs: number, nowMs: number): string | null {
  const seconds = Math.abs(nowMs - thenMs) / 1000;
  if (seconds < nowSeconds) return "just now";
  const step = steps.find((candidate) => seconds < candidate.limitSeconds);
  if (!step) return null;
  const amount = `${Math.floor(seconds / step.unitSeconds)} ${step.unit}`;
  return thenMs <= nowMs ? `${amount} ago` : `in ${amount}`;
}

/** "21 Jan 2026" in the given time zone, by default the user's. */
export function formatDate(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  }).format(ms);
}

/** "21 Jan 2026, 21:59:45 UTC" in the given time zone, by default the user's. */
export function formatMoment(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone,
    timeZoneName: "short",
  }).format(ms);
}

/** "21:59" in the given time zone, by default the user's. */
export function formatClock(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(ms);
}

/** "21:59:45" in the given time zone, by default the user's. */
export function formatSeconds(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone,
  }).format(ms);
}
