import { afterEach, expect, test, vi } from "vitest";
import { readClocks, setClock } from "@/lib/platform/time/clock";

afterEach(() => {
  setClock(null);
  vi.restoreAllMocks();
});

test("the platform's time and the wall clock are of one reading, however long the next one takes", () => {
  let reading = 0;
  vi.spyOn(Date, "now").mockImplementation(() => ++reading);

  for (const offsetMs of [0, 3_600_000]) {
    setClock({ offsetMs, frozenAt: null });
    const { platform, wall } = readClocks();
    expect(platform.getTime() - wall.getTime()).toBe(offsetMs);
  }
});
