import { describe, expect, test } from "vitest";
import { determineIds, newId, newTraceId, timeOfId } from "@/lib/platform/ids";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("ids are UUIDv7, never repeat and never go backwards, even when the clock does", () => {
  const start = Date.parse("2026-11-21T00:00:00Z");
  const ids = Array.from({ length: 20_000 }, (_, index) => newId(start + (index % 7)));
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

describe("the ids of an account of determineIds", () => {
  const START = Date.parse("2026-11-21T00:00:00Z");
  const ACCOUNT = "0b8b6f5e-93d6-8d2f-9d51-6d0a53f9a001";
  const OTHER = "0b8b6f5e-93d6-8d2f-9d51-6d0a53f9a002";

  /** Ids of two kinds, in an order that `first` chooses, as two workers would ask for them. */
  function ask(first: "message" | "event") {
    determineIds(ACCOUNT);
    const second = first === "message" ? "event" : "message";
    const ids: Record<string, string[]> = {};
    for (const kind of [first, second]) {
      ids[kind] = Array.from({ length: 5000 }, () => newId(START, ACCOUNT, kind, "same"));
    }
    return ids;
  }

  test("are the same for the same calls, whatever other kinds come between", () => {
    expect(ask("message")).toEqual(ask("event"));
  });

  test("are UUIDv7 of their time, never repeat and increase within a kind", () => {
    const { message = [], event = [] } = ask("message");
    expect([...message, ...event].every((id) => UUID_V7.test(id))).toBe(true);
    expect(new Set([...message, ...event]).size).toBe(10_000);
    expect([...message].sort()).toEqual(message);
    expect(timeOfId(message[0] ?? "")).toBe(START);
  });

  test("are those of no other account, and another account's stay random", () => {
    determineIds(ACCOUNT);
    determineIds(OTHER);
    expect(newId(START, ACCOUNT, "message")).not.toBe(newId(START, OTHER, "message"));
    expect(newId(START, "unknown", "message")).not.toBe(newId(START, "unknown", "message"));
  });
});

test("a trace id is 32 lower-case hex digits", () => {
  expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
});
