const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const MAX_RETRIES = 50;
const MAX_TOTAL_SECONDS = 3 * SECONDS.d;

/** Ladders to choose from. The sum of each stays below its name. */
export const LADDERS = {
  "One day": "10s, 1m, 5m, 30m, 1h, 2h, 4h, 8h, 8h",
  "Three days": "10s, 1m, 5m, 30m, 1h, 2h, 4h, 8h, 12h, 20h, 1d",
} as const;

/** The waits between attempts in seconds, or the reason why the text has none. Empty text is the instance's ladder. */
export type ReadLadder = { seconds: number[] | null } | { problem: string };

/** Reads waits such as `10s, 5m, 2h, 1d`. A number without a unit is in seconds. */
export function readLadder(text: string): ReadLadder {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  if (words.length === 0) return { seconds: null };
  if (words.length > MAX_RETRIES) return { problem: `Enter at most ${MAX_RETRIES} waits.` };
  const seconds: number[] = [];
  for (const word of words) {
    const wait = secondsOf(word);
    if (wait === null) return { problem: `"${word}" is no wait. Use 30s, 5m, 2h or 1d.` };
    seconds.push(wait);
  }
  if (totalOf(seconds) > MAX_TOTAL_SECONDS)
    return { problem: "All waits together can be at most three days." };
  return { seconds };
}

/** The text that `readLadder` reads as these waits. */
export function ladderText(seconds: readonly number[] | null): string {
  return (seconds ?? []).map(waitText).join(", ");
}

/** "9 retries over 23 h 36 min". */
export function ladderSummary(seconds: readonly number[]): string {
  const minutes = Math.round(totalOf(seconds) / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`];
  const over = parts.filter((part) => part !== 0).join(" ") || `${totalOf(seconds)} s`;
  return `${seconds.length === 1 ? "1 retry" : `${seconds.length} retries`} over ${over}`;
}

function secondsOf(word: string): number | null {
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])?$/i.exec(word) ?? [];
  const wait = Number(count) * (SECONDS[unit.toLowerCase() as keyof typeof SECONDS] ?? 1);
  return wait >= 1 ? wait : null;
}

function waitText(wait: number): string {
  if (wait % SECONDS.d === 0) return `${wait / SECONDS.d}d`;
  if (wait % SECONDS.h === 0) return `${wait / SECONDS.h}h`;
  return wait % SECONDS.m === 0 ? `${wait / SECONDS.m}m` : `${wait}s`;
}

function totalOf(seconds: readonly number[]): number {
  return seconds.reduce((sum, wait) => sum + wait, 0);
}
