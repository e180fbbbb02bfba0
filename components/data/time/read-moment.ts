const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** The error for a text that is no time. */
export const NOT_A_TIME = "This is not a time. Try yesterday 2pm, 14:05 or a timestamp.";

/**
 * Reads a time that a person types or pastes, in the browser's time zone unless the text names another: "yesterday 2pm",
 * "14:05", "monday 9:30", "27 nov 14:05", "3h ago", ISO 8601, a Unix time in seconds or milliseconds, and the dates of
 * logs and mail. A time without a day is the last such time before `now`. Returns null for a text that is no time.
 */
export function readMoment(text: string, now: Date): Date | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (words === "") return null;
  return (
    readUnix(words) ??
    readAgo(words, now) ??
    readIso(words) ??
    readSpoken(words, now) ??
    readWritten(text.trim())
  );
}

function readUnix(words: string): Date | null {
  const [, seconds, fraction] = /^(\d{10})(\d{3}|\.\d{1,6})?$/.exec(words) ?? [];
  if (seconds === undefined) return null;
  const ms = fraction?.startsWith(".") ? Number(`0${fraction}`) * 1000 : Number(fraction ?? 0);
  return new Date(Number(seconds) * 1000 + Math.round(ms));
}

function readAgo(words: string, now: Date): Date | null {
  if (words === "now") return now;
  const [, count, unit = ""] =
    /^(\d{1,5}) ?(s|m|h|d|w|sec|min|hr|hour|day|week|second|minute)s?(?: ago)?$/.exec(words) ?? [];
  const unitMs = UNITS_MS[unit.charAt(0)];
  return count === undefined || unitMs === undefined
    ? null
    : new Date(now.getTime() - Number(count) * unitMs);
}

function readIso(words: string): Date | null {
  const [, day, time = "00:00", zone = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[t ,]+(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?))? ?(z|utc|gmt|[+-]\d\d:?\d\d)?$/.exec(
      words,
    ) ?? [];
  if (day === undefined) return null;
  const offset = /^(z|utc|gmt)$/.test(zone) ? "Z" : zone.replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  return validDate(new Date(`${day}T${time.replace(",", ".")}${offset}`));
}

/** A day, a time of the day, or both: "yesterday 2pm", "at 14:05", "27 nov". */
function readSpoken(words: string, now: Date): Date | null {
  const [, dayText = "", clockText = ""] =
    /^(.*?)(?:(?:^| |, ?)(?:at )?(\d{1,2}(?::\d\d){0,2} ?(?:am|pm)?))?$/.exec(words) ?? [];
  const hasClock = /[:m]/.test(clockText);
  const day = readDay(hasClock ? dayText.replace(/,$/, "") : words, now);
  const clock = hasClock ? readClock(clockText) : { hours: 0, minutes: 0, seconds: 0 };
  if (day === null || clock === null) return null;
  const moment = new Date(
    day.getFullYear(),
    day.getMonth(),
    day.getDate(),
    clock.hours,
    clock.minutes,
    clock.seconds,
  );
  if (hasClock && dayText === "" && moment > now) moment.setDate(moment.getDate() - 1);
  return moment;
}

function readDay(words: string, now: Date): Date | null {
  const ago = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  if (words === "" || words === "today") return ago(0);
  if (words === "yesterday") return ago(1);
  const weekday = DAYS.findIndex((name) => words.length >= 3 && name.startsWith(words.replace(/^last /, "")));
  if (weekday >= 0) return ago((now.getDay() - weekday + 7) % 7 || 7);
  const [, before, month = "", after, year] =
    /^(?:(\d{1,2})\.? )?([a-z]{3,9})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?(?:,? (\d{4}))?$/.exec(words) ?? [];
  const number = Number(before ?? after);
  const monthIndex = MONTHS.indexOf(month.slice(0, 3));
  if (monthIndex < 0 || !(number >= 1 && number <= 31)) return null;
  const day = new Date(year === undefined ? now.getFullYear() : Number(year), monthIndex, number);
  if (year === undefined && day > now) day.setFullYear(day.getFullYear() - 1);
  return day.getMonth() === monthIndex ? day : null;
}

function readClock(words: string): { hours: number; minutes: number; seconds: number } | null {
  const [, hour, minute = "0", second = "0", half] =
    /^(\d{1,2})(?::(\d\d))?(?::(\d\d))? ?(am|pm)?$/.exec(words) ?? [];
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (Number.isNaN(hours) || minutes > 59 || seconds > 59 || hours > 23) return null;
  if (half === undefined) return { hours, minutes, seconds };
  if (hours < 1 || hours > 12) return null;
  return { hours: (hours % 12) + (half === "pm" ? 12 : 0), minutes, seconds };
}

/** Dates of mail, of JavaScript and of access logs, which all name a year and a time. */
function readWritten(text: string): Date | null {
  const plain = text.replace(/^\[|\]$/g, "").replace(/^(\d\d)\/([A-Za-z]{3})\/(\d{4}):/, "$1 $2 $3 ");
  if (!/[a-z]/i.test(plain) || !/\b\d{4}\b/.test(plain) || !/\d:\d\d/.test(plain)) return null;
  return validDate(new Date(plain));
}

function validDate(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}
