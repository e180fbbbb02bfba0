import { expect, test } from "vitest";
import { clockOffset } from "@/components/data/time/clock-offset";
import { formatRelative } from "@/components/data/time/format-time";

test("a clock that was moved is followed, and seconds of delay are not", () => {
  expect(clockOffset(1_000_000, 1_008_000)).toBe(0);
  expect(clockOffset(1_000_000, 995_000)).toBe(0);
  expect(clockOffset(10_000_000, 2_800_000)).toBe(7_200_000);
  expect(clockOffset(0, 7_200_000)).toBe(-7_200_000);
});

test("a message of a minute ago is in the past although the server's clock is two hours ahead", () => {
  const browserMs = 1_000_000_000;
  const serverMs = browserMs + 7_200_000;
  const now = browserMs + clockOffset(serverMs, browserMs);
  expect(formatRelative(serverMs - 60_000, now)).toBe("1 min ago");
});
