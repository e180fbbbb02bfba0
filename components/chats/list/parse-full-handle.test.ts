import { expect, test } from "vitest";
import { parseFullHandle } from "@/components/chats/list/parse-full-handle";

test.each([
  ["+1 (555) 010-0101", "+15550100101"],
  [" Ada@Example.com ", "ada@example.com"],
  ["5550101", null],
  ["+1555", null],
  ["ada@", null],
])("%j is the handle %j", (search, handle) => {
  expect(parseFullHandle(search)).toBe(handle);
});
