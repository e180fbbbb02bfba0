import { expect, test } from "vitest";
import { isLive, readEventSearch, toEventQuery } from "@/components/events/event-search";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

test("an address becomes a search, and the search a question to the API by its names", () => {
  const search = readEventSearch({ q: ["a", "b"], line: "l", path: "$.message", status: "", colour: "red" });

  expect(toEventQuery(search, NOW)).toEqual({ q: "a", line_id: "l", json_path: "$.message" });
});

test("types, a line and a chat are followed live; whatever else narrows is searched", () => {
  expect(isLive({})).toBe(true);
  expect(isLive({ types: "message.sent", line: "l", chat: "c" })).toBe(true);
  for (const part of [
    { q: "x" },
    { status: "failed" },
    { path: "$.a" },
    { since: "1h" },
    { endpoint: "e" },
  ]) {
    expect(isLive({ types: "message.sent", ...part })).toBe(false);
  }
});

test("a period ends now; a range is as given, without a time that cannot be read", () => {
  expect(toEventQuery({ since: "1h" }, NOW)).toEqual({ from: "2026-11-21T11:00:00.000Z" });
  const range = readEventSearch({ from: "2026-11-20T10:00Z", to: "soon" });
  expect(range.since).toBe("range");
  expect(toEventQuery(range, NOW)).toEqual({ from: "2026-11-20T10:00:00.000Z" });
});
