import { expect, test } from "vitest";
import { newId, newTraceId } from "@/lib/platform/ids";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("ids are UUIDv7, never repeat and never go backwards, even when the clock does", () => {
  const start = Date.parse("2026-11-21T00:00:00Z");
  const ids = Array.from({ length: 20_000 }, (_, index) => newId(start + (index % 7)));
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test("a trace id is 32 lower-case hex digits", () => {
  expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
});
