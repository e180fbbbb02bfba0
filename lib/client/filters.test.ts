import fc from "fast-check";
import { expect, test } from "vitest";
import {
  activeFilters,
  changeFilters,
  clearFilters,
  type Filter,
  namesOf,
  PERIODS,
  RANGE,
  readFilters,
  toQuery,
} from "@/lib/client/filters";
import { queryString } from "@/lib/client/query-string";

const NOW_MS = Date.parse("2026-01-02T00:00:00Z");

const filters: Filter[] = [
  { type: "tab", name: "view" },
  { type: "search", name: "q", label: "Search by id", placeholder: "Id", pathName: "path" },
  { type: "text", name: "handle", label: "Customer", placeholder: "+15550100101" },
  {
    type: "select",
    name: "line",
    param: "line_id",
    label: "Line",
    all: "All lines",
    options: [{ value: "1", label: "+15550100001" }],
  },
  { type: "time", label: "Created" },
  { type: "types", name: "types", groups: [] },
  {
    type: "subject",
    subjects: [
      { name: "event", param: "event_id", label: "Event id" },
      { name: "chat", param: "chat_id", label: "Chat id" },
    ],
  },
];

/** Query parameters as Next.js passes them. */
function paramsOf(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

const moment = fc
  .integer({ min: Date.UTC(2000), max: Date.UTC(2100) })
  .map((ms) => new Date(ms).toISOString());
const text = fc
  .string({ minLength: 1 })
  .map((value) => value.trim())
  .filter((value) => value !== "");
const times = fc.oneof(
  fc.constant({}),
  fc.record({ since: fc.constantFrom(...Object.keys(PERIODS)) }),
  fc.record({ since: fc.constant(RANGE), from: moment, to: moment }, { requiredKeys: ["since"] }),
);
const others = fc.record(
  { view: text, q: text, handle: text, line: text, types: text, event: text, chat: text },
  { requiredKeys: [] },
);
const anyValues = fc.tuple(others, times).map(([some, time]) => ({ ...some, ...time }));

test("filters written to a URL are read back as they were", () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      expect(readFilters(filters, paramsOf(queryString(values)))).toEqual(values);
    }),
  );
});

test("property: filters read from any URL are the same after they were written and read again", () => {
  const names = fc.constantFrom(...filters.flatMap(namesOf), "unknown");
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.string())), (pairs) => {
      const values = readFilters(filters, paramsOf(new URLSearchParams(pairs).toString()));
      expect(readFilters(filters, paramsOf(queryString(values)))).toEqual(values);
    }),
  );
});

test("the first value of a repeated parameter counts; spaces around it and unknown parameters do not", () => {
  expect(readFilters(filters, { q: [" tea ", "milk"], handle: "", x: "y" })).toEqual({ q: "tea" });
});

test("a period becomes the moment it began, under the names of the API", () => {
  const values = readFilters(filters, { line: "1", since: "24h", event: "e" });
  expect(toQuery(filters, values, NOW_MS)).toEqual({
    line_id: "1",
    from: "2026-01-01T00:00:00.000Z",
    event_id: "e",
  });
});

test("from and to alone are a range; unknown periods and unreadable times narrow by no time", () => {
  const from = "2026-01-01T10:00:00.000Z";
  expect(readFilters(filters, { from: "2026-01-01T10:00Z", to: "later" })).toEqual({ since: RANGE, from });
  expect(toQuery(filters, { since: RANGE, from }, NOW_MS)).toEqual({ from });
  expect(readFilters(filters, { since: "ever" })).toEqual({});
  expect(readFilters(filters, { since: "1h", from })).toEqual({ since: "1h" });
});

test("a list without a filter by time takes no times from its URL", () => {
  const [, search] = filters;
  expect(readFilters([search as Filter], { q: "tea", since: "1h", from: "2026-01-01" })).toEqual({
    q: "tea",
  });
});

test("clearing the filters keeps the tab, and takes away everything that is shown as active", () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const cleared = clearFilters(filters, values);
      expect(cleared).toEqual("view" in values ? { view: values.view } : {});
      const removed = activeFilters(filters, values, "UTC").flatMap(({ names }) => names);
      const left = changeFilters(values, Object.fromEntries(removed.map((name) => [name, undefined])));
      expect(toQuery(filters, left, NOW_MS)).toEqual(toQuery(filters, cleared, NOW_MS));
    }),
  );
});

test("active filters are named as the toolbar names them", () => {
  const values = {
    q: "tea",
    line: "1",
    types: "a,b",
    since: RANGE,
    from: "2026-01-01T10:00:00.000Z",
    chat: "c",
  };
  const [, , time] = activeFilters(filters, values, "Asia/Kolkata");
  expect(time?.text).toBe("from 2026-01-01 15:30 +05:30");
  expect(activeFilters(filters, values, "UTC").map(({ label, text }) => `${label}: ${text}`)).toEqual([
    "Search: tea",
    "Line: +15550100001",
    "Created: from 2026-01-01 10:00 UTC",
    "Event types: a, b",
    "Chat id: c",
  ]);
});
