import { expect, test } from "vitest";
import { safePath } from "@/lib/client/safe-path";
import { pagePath, signInPath } from "@/lib/runtime/http/page-path";

test.each([
  ["/", "/"],
  ["/requests?q=abc&status=5xx", "/requests?q=abc&status=5xx"],
  ["/requests?q=a%26b&_rsc=1x2y", "/requests?q=a%26b"],
  ["/lines/1?_rsc=1x2y", "/lines/1"],
  ["/events?x_rsc=1", "/events?x_rsc=1"],
])("the path of %s is %s", (url, path) => {
  expect(pagePath(url)).toBe(path);
});

test("the sign-in leads back to the whole path, also with parameters of its own name", () => {
  const path = "/requests?q=a%26b&to=%2Fx&email=y";
  const { searchParams } = new URL(signInPath(path), "http://localhost");
  expect([...searchParams.keys()]).toEqual(["to"]);
  expect(safePath(searchParams.get("to") ?? undefined)).toBe(path);
  expect(signInPath("/")).toBe("/sign-in");
  expect(signInPath(null)).toBe("/sign-in");
});
