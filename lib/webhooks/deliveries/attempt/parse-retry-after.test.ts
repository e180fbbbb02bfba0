import { expect, test } from "vitest";
import { parseRetryAfter } from "@/lib/webhooks/deliveries/attempt/parse-retry-after";

const NOW = new Date("2026-11-21T12:00:00.000Z");

test.each([
  ["120", 120_000],
  [" 7 ", 7000],
  ["Sat, 21 Nov 2026 12:01:30 GMT", 90_000],
  ["Saturday, 21-Nov-26 12:00:05 GMT", 5000],
])("%j asks for %i ms", (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test.each([
  undefined,
  "",
  "0",
  "-5",
  "1.5",
  "soon",
  "120s",
  "99999999999",
  "2027-01-01",
  "Sat, 21 Nov 2026 11:59:59 GMT",
  "Sat, nonsense",
])("%j asks for nothing", (header) => {
  expect(parseRetryAfter(header, NOW)).toBeNull();
});
