import { InvalidArgumentError } from "commander";

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const DURATION = /^(\d+(?:\.\d+)?)([smhd]?)$/;

/** Parses a duration such as `90s`, `16m`, `24h`, `2d` or `45` (seconds). Returns seconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text.trim()) ?? [];
  if (amount === undefined) throw new InvalidArgumentError("Use a duration such as 90s, 16m, 24h or 2d.");
  return Number(amount) * UNIT_SECONDS[(unit || "s") as keyof typeof UNIT_SECONDS];
}

/** Parses a duration before now, or a time in ISO 8601. Returns the time in ISO 8601. */
export function parseSince(text: string): string {
  if (DURATION.test(text.trim())) return new Date(Date.now() - parseDuration(text) * 1000).toISOString();
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError("Use a duration such as 2h, or a time such as 2026-03-01T12:00:00Z.");
  }
  return new Date(time).toISOString();
}

/** Parses a whole number from 1 on. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError("Use a whole number from 1 on.");
  return count;
}
