import "server-only";
import { z } from "zod";
import { maxUnits } from "@/lib/platform/text/max-units";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const MAX_ZONE = 64;
/** Zones are at most 26 hours apart. Quiet hours of several zones that never end within two days are no rule at all. */
const MAX_WAIT_MS = 2 * DAY_MINUTES * MINUTE_MS;

const ClockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 21:00")
  .describe("Time of day, `HH:MM`.");

/** An IANA time zone, such as Europe/Berlin. */
export const TimeZone = z
  .string()
  .check(maxUnits(MAX_ZONE))
  .refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin");

/** When the recipients of an account are not written to, by their own clocks. */
export const QuietHours = z
  .object({
    /** The first quiet minute. */
    from: ClockTime,
    /** The first minute that is not quiet any more. Before `from`, it is on the next day. */
    to: ClockTime,
    /** Of recipients whose number names no zone. */
    time_zone: TimeZone,
    /** What happens to a send of a program: it waits for the end of the quiet hours, or fails. */
    action: z.enum(["hold", "refuse"]),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "must differ from from" });

export type QuietHours = z.infer<typeof QuietHours>;

/** The end of quiet hours, and a zone in which it is quiet. */
interface Quiet {
  until: Date;
  zone: string;
}

type Hours = Pick<QuietHours, "from" | "to" | "time_zone">;

/**
 * The quiet hours that it is at a time in any of several time zones; null when it is quiet in none of them. When the quiet
 * hours of several zones leave no time of the day, the account's zone decides.
 */
export function quietUntil(at: Date, zones: readonly string[], hours: Hours): Quiet | null {
  const start = at.getTime();
  const zone = zones.find((each) => endIn(each, start, hours) > start);
  if (zone === undefined) return null;
  for (let free = start; free - start <= MAX_WAIT_MS; ) {
    const next = Math.max(...zones.map((each) => endIn(each, free, hours)));
    if (next === free) return { until: new Date(free), zone };
    free = next;
  }
  return zones.length === 1 ? null : quietUntil(at, [hours.time_zone], hours);
}

/** The time of day in a zone, `HH:MM`. */
export function clockIn(zone: string, at: Date): string {
  return new Date(at.getTime() + offsetOf(zone, at.getTime())).toISOString().slice(11, 16);
}

/** The end of the quiet hours in a zone; the time itself when it is not quiet. */
function endIn(zone: string, at: number, { from, to }: Hours): number {
  const offset = offsetOf(zone, at);
  const local = at + offset;
  const minute = Math.floor(local / MINUTE_MS) % DAY_MINUTES;
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
  if (!isQuiet) return at;
  const ahead = (end - minute + DAY_MINUTES) % DAY_MINUTES;
  const wanted = Math.floor(local / MINUTE_MS) * MINUTE_MS + ahead * MINUTE_MS;
  // The clocks may change until then. A time that they skip is as far after the change.
  const guess = wanted - offset;
  const after = wanted - offsetOf(zone, guess);
  return offsetOf(zone, after) === offsetOf(zone, guess) ? after : Math.max(guess, after);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetOf(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      ...{
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      },
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
