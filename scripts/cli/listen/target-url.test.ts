import { expect, test } from "vitest";
import { toTargetUrl } from "@/scripts/cli/listen/target-url";

test.each([
  ["localhost:4000/hook", "http://localhost:4000/hook"],
  ["127.0.0.1:4000", "http://127.0.0.1:4000/"],
  ["[::1]:4000/hook", "http://[::1]:4000/hook"],
  ["4000", "http://localhost:4000/"],
  ["4000/hook?a=1", "http://localhost:4000/hook?a=1"],
  [":4000/hook", "http://localhost:4000/hook"],
  ["/hook", "http://localhost/hook"],
  ["my-host.local/hook", "http://my-host.local/hook"],
  [" http://localhost:4000/hook ", "http://localhost:4000/hook"],
  ["HTTPS://example.com/hook", "https://example.com/hook"],
])("the server %s is %s", (text, url) => {
  expect(toTargetUrl(text)).toBe(url);
});

test.each([
  ["ftp://localhost/hook", /http:\/\/ or https:\/\//],
  ["ws://localhost:4000", /http:\/\/ or https:\/\//],
  ["file:///etc/hosts", /URL/],
  ["", /URL of your server/],
  ["localhost:99999", /URL of your server/],
  ["http://", /URL of your server/],
  ["http://me:secret@localhost:4000", /user name/],
])("the target %s is refused with a sentence", (text, sentence) => {
  expect(() => toTargetUrl(text)).toThrow(sentence);
});
