import { fail } from "@/lib/platform/errors/errors";

/** A search as it was typed, taken apart. */
export interface SearchQuery {
  /** Texts of which each must be in the message. `isExact`: as a phrase, and its last word whole. */
  texts: { text: string; isExact: boolean }[];
  /** `from:`: `me` for the account's side, or part of a handle or a name. */
  from: string | null;
  /** `with:`: part of a handle or a name. Messages of both sides in the chats with these people. */
  with: string | null;
  /** `line:`: part of a line's number, or its id. */
  line: string | null;
  /** `after:`: the first day, and `before:`: the day after the last one, as YYYY-MM-DD. */
  after: string | null;
  before: string | null;
}

const TOKEN = /(?:(from|with|line|before|after):\s*)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/giu;
const DAY = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;

/**
 * Reads a typed search: words, "phrases", and `from:`, `with:`, `line:`, `after:` and `before:` with a value. Errors:
 * parameter_invalid for a date that does not exist.
 */
export function readSearchQuery(typed: string): SearchQuery {
  const query: SearchQuery = { texts: [], from: null, with: null, line: null, after: null, before: null };
  for (const [, filter, phrase, word] of typed.normalize("NFC").matchAll(TOKEN)) {
    const text = (phrase ?? word ?? "").trim();
    if (text === "") continue;
    const name = filter?.toLowerCase();
    if (name === "from" || name === "with" || name === "line") query[name] = text;
    else if (name === "after" || name === "before") query[name] = firstDayOf(name, text);
    else query.texts.push({ text, isExact: phrase !== undefined });
  }
  return query;
}

/** The first day of a day, a month or a year. */
function firstDayOf(name: string, text: string): string {
  const [, year, month = "1", day = "1"] = DAY.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${date}T00:00:00Z`);
  // A calendar of PostgreSQL has no year 0.
  if (
    year === undefined ||
    year === "0000" ||
    Number.isNaN(at.getTime()) ||
    at.toISOString().slice(0, 10) !== date
  ) {
    fail("parameter_invalid", `${name}: takes a date such as 2026-11-28, 2026-11 or 2026`);
  }
  return date;
}
