import { expect, test } from "vitest";
import { formatBytes } from "@/components/data/format-bytes";

test.each([
  [0, "0 bytes"],
  [820, "820 bytes"],
  [1024, "1.0 KB"],
  [1_468_006, "1.4 MB"],
  [104_857_600, "100 MB"],
])("%d is %s", (sizeBytes, shown) => {
  expect(formatBytes(sizeBytes)).toBe(shown);
});
