/** How the log is narrowed, as the address of the page has it. Absent = not by this. */
export interface RequestFilter {
  /** A trace id, or the id of a chat, a message or a request. */
  q?: string;
  method?: string;
  status?: string;
  /** An error code. */
  code?: string;
  /** An endpoint's template, or a path as it was asked for. */
  path?: string;
  /** A token's id. */
  token?: string;
  /** A phone number. */
  line?: string;
  /** A period that ends now, or `range` for `from` and `to`. */
  since?: string;
  /** RFC 3339. */
  from?: string;
  to?: string;
}

const FILTER_NAMES = [
  "q",
  "method",
  "status",
  "code",
  "path",
  "token",
  "line",
  "since",
  "from",
  "to",
] as const satisfies (keyof RequestFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readFilter(query: Record<string, string | string[] | undefined>): RequestFilter {
  const filter: RequestFilter = {};
  for (const name of FILTER_NAMES) {
    const value = [query[name]].flat()[0];
    if (value !== undefined && value !== "") filter[name] = value;
  }
  if (filter.from !== undefined || filter.to !== undefined) filter.since ??= "range";
  return filter;
}

/** Whatever was typed into the search box: a path begins with a slash, all else is an id. */
export function readSearch(text: string): Pick<RequestFilter, "q" | "path"> {
  const wanted = text.trim();
  if (wanted === "") return {};
  return wanted.startsWith("/") ? { path: wanted } : { q: wanted };
}

const HOUR_MS = 3_600_000;

export const PERIODS = {
  "1h": { label: "Last hour", short: "1 h", ms: HOUR_MS },
  "24h": { label: "Last 24 hours", short: "24 h", ms: 24 * HOUR_MS },
  "7d": { label: "Last 7 days", short: "7 d", ms: 168 * HOUR_MS },
  "30d": { label: "Last 30 days", short: "30 d", ms: 720 * HOUR_MS },
} as const;

export type Period = keyof typeof PERIODS;

export function isPeriod(value: string | undefined): value is Period {
  return value !== undefined && Object.hasOwn(PERIODS, value);
}

/** The filter as GET /api/requests takes it. Of times that cannot be read nothing is asked. */
export function toRequestQuery(filter: RequestFilter, nowMs: number): Record<string, string> {
  const { code, token, since, from, to, ...same } = filter;
  const times = isPeriod(since)
    ? { from: new Date(nowMs - PERIODS[since].ms).toISOString() }
    : { from: readTime(from), to: readTime(to) };
  const asked = { ...same, error_code: code, token_id: token, ...times };
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query[name] = value;
  return query;
}

function readTime(value: string | undefined): string | undefined {
  const ms = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
