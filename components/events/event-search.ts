import { isPeriod, PERIODS } from "@/lib/client/filters";

/** How the events are narrowed, as the address of the page has it. Absent = not by this. */
export interface EventSearch {
  /** An id (lib/events/find-subject.ts), an event's number, a trace id, a phone number or an e-mail address. */
  q?: string;
  /** Separated by commas. */
  types?: string;
  /** Ids. */
  line?: string;
  chat?: string;
  endpoint?: string;
  /** What became of its deliveries. */
  status?: string;
  /** A JSON path. */
  path?: string;
  /** A period that ends now, or `range` for `from` and `to`. */
  since?: string;
  /** RFC 3339. */
  from?: string;
  to?: string;
}

const NAMES = [
  "q",
  "types",
  "line",
  "chat",
  "endpoint",
  "status",
  "path",
  "since",
  "from",
  "to",
] as const satisfies (keyof EventSearch)[];

/** What the live stream can tell apart by itself; by anything else the log is searched. */
const LIVE: readonly (keyof EventSearch)[] = ["types", "line", "chat"];

/** The search an address holds; what is repeated counts once. */
export function readEventSearch(query: Record<string, string | string[] | undefined>): EventSearch {
  const search: EventSearch = {};
  for (const name of NAMES) {
    const value = [query[name]].flat()[0];
    if (value !== undefined && value !== "") search[name] = value;
  }
  if (search.from !== undefined || search.to !== undefined) search.since ??= "range";
  return search;
}

/** Whether what is asked for can be followed as it happens. */
export function isLive(search: EventSearch): boolean {
  return NAMES.every((name) => search[name] === undefined || LIVE.includes(name));
}

/** The search as GET /api/events takes it. Of times that cannot be read nothing is asked. */
export function toEventQuery(search: EventSearch, nowMs: number): Record<string, string> {
  const { line, chat, endpoint, path, since, from, to, ...same } = search;
  const times = isPeriod(since)
    ? { from: new Date(nowMs - PERIODS[since].ms).toISOString() }
    : { from: readTime(from), to: readTime(to) };
  const ids = { line_id: line, chat_id: chat, subscription_id: endpoint };
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...same, ...ids, json_path: path, ...times })) {
    if (value !== undefined) query[name] = value;
  }
  return query;
}

function readTime(value: string | undefined): string | undefined {
  const ms = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
