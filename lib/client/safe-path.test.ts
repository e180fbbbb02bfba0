import { expect, test } from "vitest";
import { safePath } from "@/lib/client/safe-path";

test.each([
  ["/chats?line=1", "/chats?line=1"],
  ["/", "/"],
  [undefined, "/"],
  ["chats", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
])("after a sign-in that asked for %s one lands on %s", (to, path) => {
  expect(safePath(to)).toBe(path);
});
