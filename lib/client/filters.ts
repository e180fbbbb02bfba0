import { momentText } from "@/lib/client/moment-text";
import type { EventGroupChoice } from "@/lib/events/catalog/event-groups";

/** An option of a select. Plain data, because filters are declared on the server and rendered in the browser. */
export interface FilterOption {
  value: string;
  label: string;
}

/** Controls that people use rarely are hidden behind a button until they are used. */
interface Foldable {
  isFolded?: boolean;
}

interface Named {
  /** The name of the parameter in the page's URL. */
  name: string;
  /** The name of the parameter in the API, if it differs. */
  param?: string;
}

/**
 * A text search, submitted with Enter. Text that starts with a slash goes to the filter `pathName`, if there is one.
 */
interface SearchFilter extends Named {
  type: "search";
  /** Names everything that can be searched by. */
  label: string;
  placeholder: string;
  pathName?: string;
}

/** An exact value, entered as text. */
interface TextFilter extends Named, Foldable {
  type: "text";
  label: string;
  placeholder: string;
  wide?: boolean;
}

/** One of several values. `all` is the label of the unfiltered option. */
interface SelectFilter extends Named, Foldable {
  type: "select";
  label: string;
  all: string;
  options: readonly FilterOption[];
}

/** A period that ends now (`since`), or a range (`since=range`, `from`, `to`, RFC 3339). */
interface TimeFilter {
  type: "time";
  label: string;
}

/** Any number of event types, separated by commas. */
interface TypesFilter extends Named {
  type: "types";
  groups: EventGroupChoice[];
}

/** An id of one of several types, each with its own parameter. */
export interface SubjectFilter {
  type: "subject";
  subjects: readonly (Named & { label: string })[];
}

/** A parameter that the page's tabs set. It is sent to the API and is not reset by Clear filters. */
interface TabFilter extends Named {
  type: "tab";
}

/** A filter of a list: its control in the toolbar, and its parameters in the URL and in the API. */
export type Filter =
  | SearchFilter
  | TextFilter
  | SelectFilter
  | TimeFilter
  | TypesFilter
  | SubjectFilter
  | TabFilter;

/** Whether the control is hidden until the user asks for more filters: a folded filter without a value. */
export function isFolded(filter: Filter, values: FilterValues): boolean {
  return "isFolded" in filter && filter.isFolded === true && values[filter.name] === undefined;
}

/** The values of a list's filters, by their names in the URL. Absent filters do not apply. */
export type FilterValues = Readonly<Record<string, string>>;

/** Changed filter values; undefined removes a value. */
export type FilterChange = Readonly<Record<string, string | undefined>>;

/** The query parameters of a page, as Next.js passes them. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

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

/** The value of `since` for a custom range of `from` and `to`. */
export const RANGE = "range";

/** The URL parameters of a filter. */
export function namesOf(filter: Filter): readonly string[] {
  if (filter.type === "time") return ["since", "from", "to"];
  if (filter.type === "subject") return filter.subjects.map(({ name }) => name);
  return [filter.name];
}

/**
 * Reads the values of a list's filters from the query parameters of its page. Uses the first value of a repeated
 * parameter. Ignores unknown parameters, empty values and invalid times.
 */
export function readFilters(filters: readonly Filter[], asked: SearchParams): FilterValues {
  const values: Record<string, string> = {};
  for (const name of filters.flatMap(namesOf)) {
    const value = [asked[name]].flat()[0]?.trim();
    if (value) values[name] = value;
  }
  return filters.some(({ type }) => type === "time") ? readTimes(values) : values;
}

function readTimes({ since, from, to, ...values }: FilterValues): FilterValues {
  const range = defined({ from: readTime(from), to: readTime(to) });
  if (isPeriod(since)) return { ...values, since };
  if (since === RANGE || Object.keys(range).length > 0) return { ...values, since: RANGE, ...range };
  return values;
}

function readTime(value: string | undefined): string | undefined {
  const ms = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Converts the values to the query of the list's API. A period ends at `nowMs`. */
export function toQuery(
  filters: readonly Filter[],
  values: FilterValues,
  nowMs: number,
): Record<string, string> {
  return defined(Object.assign({}, ...filters.map((filter) => queryOf(filter, values, nowMs))));
}

function queryOf(filter: Filter, values: FilterValues, nowMs: number): FilterChange {
  if (filter.type === "time") return timesOf(values, nowMs);
  const named = filter.type === "subject" ? filter.subjects : [filter];
  return Object.fromEntries(named.map(({ name, param }) => [param ?? name, values[name]]));
}

function timesOf({ since, from, to }: FilterValues, nowMs: number): FilterChange {
  if (isPeriod(since)) return { from: new Date(nowMs - PERIODS[since].ms).toISOString() };
  return { from: readTime(from), to: readTime(to) };
}

function defined(values: FilterChange): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value) set[name] = value;
  return set;
}

/** The values after a change. */
export function changeFilters(values: FilterValues, change: FilterChange): FilterValues {
  return defined({ ...values, ...change });
}

/** Returns the values that remain after Clear filters: those of tabs. */
export function clearFilters(filters: readonly Filter[], values: FilterValues): FilterValues {
  const kept = filters.filter(({ type }) => type === "tab").flatMap(namesOf);
  return defined(Object.fromEntries(kept.map((name) => [name, values[name]])));
}

/** A filter that has a value. */
export interface ActiveFilter {
  /** The URL parameters to remove in order to clear the filter. */
  names: readonly string[];
  label: string;
  text: string;
}

/**
 * Returns the filters that have a value, in the order of their declaration. Times are in `timeZone`: undefined = the
 * browser's.
 */
export function activeFilters(
  filters: readonly Filter[],
  values: FilterValues,
  timeZone: string | undefined,
): ActiveFilter[] {
  return filters.flatMap((filter) => {
    if (filter.type === "tab") return [];
    if (filter.type === "time") return activeTime(filter, values, timeZone);
    const named = filter.type === "subject" ? filter.subjects : [filter];
    return named.flatMap(({ name }, at) => {
      const value = values[name];
      return value === undefined
        ? []
        : [{ names: [name], label: labelOf(filter, at), text: textOf(filter, value) }];
    });
  });
}

function activeTime(
  filter: TimeFilter,
  { since, from, to }: FilterValues,
  timeZone: string | undefined,
): ActiveFilter[] {
  const names = namesOf(filter);
  if (isPeriod(since)) return [{ names, label: filter.label, text: PERIODS[since].label }];
  const nameOf = (moment: string) => momentText(Date.parse(moment), timeZone);
  const text = [from && `from ${nameOf(from)}`, to && `to ${nameOf(to)}`].filter(Boolean).join(" ");
  return text === "" ? [] : [{ names, label: filter.label, text }];
}

function labelOf(filter: Exclude<Filter, TimeFilter | TabFilter>, at: number): string {
  if (filter.type === "search") return "Search";
  if (filter.type === "types") return "Event types";
  return filter.type === "subject" ? (filter.subjects[at]?.label ?? "") : filter.label;
}

function textOf(filter: Filter, value: string): string {
  if (filter.type === "types") return value.replaceAll(",", ", ");
  if (filter.type !== "select") return value;
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

/**
 * The data of a list page that the server loads: its filters, the first page and the URL of further pages.
 * Serializable.
 */
export interface LoadedSearch<Page> {
  /** Changes with the account and the filter values. Used as the `key` of the list's rows; the toolbar has none, and stays. */
  id: string;
  /** The path of the list's API. */
  api: string;
  filters: readonly Filter[];
  values: FilterValues;
  /** The query of the list's API. Fixed while the page is open, so that further pages continue the first one. */
  query: Record<string, string>;
  /** null if the search was rejected. */
  page: Page | null;
  /** Why the search was rejected. */
  refusal: { code: number; message: string } | null;
}
