type Step = { limitSeconds: number; unitSeconds: number; unit: string };

const steps: Step[] = [
  { limitSeconds: 60, unitSeconds: 1, unit: "sec" },
  { limitSeconds: 3600, unitSeconds: 60, unit: "min" },
  { limitSeconds: 86_400, unitSeconds: 3600, unit: "hr" },
  { limitSeconds: 604_800, unitSeconds: 86_400, unit: "d" },
];

// A phone's clock and ours disagree by seconds; "in 3 sec" for something that has happened reads as a fault.
const nowSeconds = 20;

/** "just now", "4 min ago", "in 2 hr"; null once it is a week away and a date says more. */
export function formatRelative(thenMs: number, nowMs: number): string | null {
  const seconds = Math.abs(nowMs - thenMs) / 1000;
  if (seconds < nowSeconds) return "just now";
  const step = steps.find((candidate) => seconds < candidate.limitSeconds);
  if (!step) return null;
  const amount = `${Math.floor(seconds / step.unitSeconds)} ${step.unit}`;
  return thenMs <= nowMs ? `${amount} ago` : `in ${amount}`;
}

/** "21 Jan 2026" in the given zone, the reader's own when there is none. */
export function formatDate(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  }).format(ms);
}

/** "21 Jan 2026, 21:59:45 UTC": to the second and with its zone. */
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

/** "21:59" in the given zone, the reader's own when there is none. */
export function formatClock(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(ms);
}

/** "21:59:45" in the given zone, the reader's own when there is none. */
export function formatSeconds(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone,
  }).format(ms);
}
