import { expect, test } from "vitest";
import { formatDuration } from "@/components/chats/parts/format-duration";

test.each([
  [null, ""],
  [0, "0:00"],
  [83_400, "1:23"],
  [59_600, "1:00"],
  [3_605_000, "60:05"],
])("%s ms is %j", (durationMs, shown) => {
  expect(formatDuration(durationMs)).toBe(shown);
});
