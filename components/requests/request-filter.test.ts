import { expect, test } from "vitest";
import { readFilter, readSearch, toRequestQuery } from "@/components/requests/request-filter";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test("an address is read as a filter: known names, the first of repeated ones, nothing empty", () => {
  expect(readFilter({ q: "abc", method: ["GET", "POST"], code: "", other: "x" })).toEqual({
    q: "abc",
    method: "GET",
  });
});

test("what begins with a slash is a path, all else an id", () => {
  expect(readSearch(" /v3/chats ")).toEqual({ path: "/v3/chats" });
  expect(readSearch("0123")).toEqual({ q: "0123" });
  expect(readSearch("  ")).toEqual({});
});

test("a period ends now and beats a range; times that cannot be read are left out", () => {
  expect(toRequestQuery({ since: "24h", to: "2026-01-01T00:00Z" }, NOW)).toEqual({
    from: "2026-02-28T12:00:00.000Z",
  });
  expect(toRequestQuery({ since: "range", from: "2026-01-01T00:00Z", to: "soon" }, NOW)).toEqual({
    from: "2026-01-01T00:00:00.000Z",
  });
  expect(toRequestQuery({ since: "constructor" }, NOW)).toEqual({});
});

test("codes and tokens have their names of the API", () => {
  expect(toRequestQuery({ code: "2024", token: "t", status: "4xx" }, NOW)).toEqual({
    error_code: "2024",
    token_id: "t",
    status: "4xx",
  });
});
