import { expect, test } from "vitest";
import { memoize } from "@/lib/platform/tasks/memoize";

test("a result is made once, until as many others have been asked for; a failure is not kept", () => {
  const made: string[] = [];
  const make = memoize(2, (key) => {
    made.push(key);
    if (key === "bad" && made.length === 1) throw new Error("not yet");
    return key.toUpperCase();
  });

  expect(() => make("bad")).toThrow("not yet");
  expect(["bad", "bad", "a", "bad", "b", "bad"].map(make)).toEqual(["BAD", "BAD", "A", "BAD", "B", "BAD"]);
  expect(made).toEqual(["bad", "bad", "a", "b", "bad"]);
});
