import { expect, test } from "vitest";
import { createBackoff } from "@/lib/platform/time/backoff";

test("pauses double up to the bound, vary, and start again after a success", () => {
  const backoff = createBackoff({ leastMs: 100, mostMs: 800 });
  for (const boundMs of [100, 200, 400, 800, 800, 800]) {
    const pauseMs = backoff.next();
    expect(pauseMs).toBeGreaterThanOrEqual(boundMs / 2);
    expect(pauseMs).toBeLessThanOrEqual(boundMs);
  }
  const pauses = new Set(Array.from({ length: 20 }, () => backoff.next()));
  expect(pauses.size).toBeGreaterThan(1);

  backoff.reset();
  expect(backoff.next()).toBeLessThanOrEqual(100);
});
