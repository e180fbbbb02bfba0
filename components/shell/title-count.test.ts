import { expect, test } from "vitest";
import { titleWithCount } from "@/components/shell/title-count";

test("the count of unread chats comes first, once, and 0 is not shown", () => {
  expect(titleWithCount("Ann Lee · Trunkline", 3)).toBe("(3) Ann Lee · Trunkline");
  expect(titleWithCount("(3) Ann Lee · Trunkline", 12)).toBe("(12) Ann Lee · Trunkline");
  expect(titleWithCount("(12) Lines · Trunkline", 100)).toBe("(99+) Lines · Trunkline");
  expect(titleWithCount("(99+) Lines · Trunkline", 0)).toBe("Lines · Trunkline");
  expect(titleWithCount("(Support) · Trunkline", 1)).toBe("(1) (Support) · Trunkline");
});
