import fc from "fast-check";
import { expect, test } from "vitest";
import { changedFields } from "@/lib/identity/audit/changed-fields";

const fields = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue());

test("a change contains exactly the fields that differ, with both values", () => {
  expect(changedFields({ a: 1, b: [1], c: null }, { a: 2, b: [1], c: undefined })).toEqual({
    from: { a: 1 },
    to: { a: 2 },
  });
  expect(changedFields({}, { a: "x" })).toEqual({ from: { a: null }, to: { a: "x" } });
});

test("applied to the fields before, the change gives the fields after", () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const { from, to } = changedFields(before, after);
      expect(Object.keys(from)).toEqual(Object.keys(to));
      const known = Object.fromEntries(Object.keys(after).map((name) => [name, before[name] ?? null]));
      expect(JSON.stringify({ ...known, ...to })).toEqual(JSON.stringify({ ...known, ...after }));
    }),
  );
});
