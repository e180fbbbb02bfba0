import { readMoment } from "@/components/data/time/read-moment";

const UNIT = "(?:s|m|h|d|w|sec|min|hr|hour|day|week|second|minute)s?";
const IN = new RegExp(`^(?:in )?(\\d{1,5} ?${UNIT})$`);
const CLOCK = /^(?:at )?\d{1,2}(?::\d\d){0,2} ?(?:am|pm)?$/;
const WEEKDAY = /^(?:next )?(?:sun|mon|tue|wed|thu|fri|sat)/;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
const YEAR = /\b\d{4}\b/;

/**
 * Reads a time to come, in the words that `readMoment` takes: "in 2 hours", "tomorrow 9am", "monday 9:30", "14:05" or ISO
 * 8601. A time without a day, a weekday or a date without a year is the next such time after `now`. Returns null for a text
 * that is no time, or a time of the past.
 */
export function readAhead(text: string, now: Date): Date | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const time = readIn(words, now) ?? readNext(words, now);
  return time !== null && time > now ? time : null;
}

function readIn(words: string, now: Date): Date | null {
  const [, span] = IN.exec(words) ?? [];
  const ago = span === undefined ? null : readMoment(span, now);
  return ago === null ? null : new Date(2 * now.getTime() - ago.getTime());
}

function readNext(words: string, now: Date): Date | null {
  if (words.startsWith("tomorrow")) {
    return later(readMoment(words.replace("tomorrow", "today"), now), { days: 1 });
  }
  const last = readMoment(words.replace(/^next /, ""), now);
  if (last === null || last > now) return last;
  if (CLOCK.test(words)) return later(last, { days: 1 });
  if (WEEKDAY.test(words)) {
    const next = later(last, { days: 7 });
    return next !== null && next <= now ? later(next, { days: 7 }) : next;
  }
  return MONTH.test(words) && !YEAR.test(words) ? later(last, { years: 1 }) : last;
}

// In the calendar, so that the time of the day stays the same when the clocks change.
function later(time: Date | null, { days = 0, years = 0 }: { days?: number; years?: number }): Date | null {
  if (time === null) return null;
  const next = new Date(time);
  next.setFullYear(time.getFullYear() + years, time.getMonth(), time.getDate() + days);
  return next;
}
