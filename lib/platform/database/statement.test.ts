import fc from "fast-check";
import { expect, test } from "vitest";
import { numbered, withoutMarks } from "@/lib/platform/database/statement";

test.each([
  ["select :a, :b, :a", "select $1, $2, $1", ["a", "b"]],
  ["select x::text, :at::timestamptz", "select x::text, $1::timestamptz", ["at"]],
  ["select '10:30', ':not', 'it''s :not', :yes", "select '10:30', ':not', 'it''s :not', $1", ["yes"]],
  ["select 1 -- :not\n, :yes", "select 1 -- :not\n, $1", ["yes"]],
  ['select "a:b", :yes', 'select "a:b", $1', ["yes"]],
  ["select parts[1:2], array[:a, :b]", "select parts[1:2], array[$1, $2]", ["a", "b"]],
  [
    'select x as "total!", y as "y?", z as "z: Part[]", w as "w!: \'a\' | \'b\'"',
    'select x as "total", y as "y", z as "z", w as "w"',
    [],
  ],
])("%s", (source, text, parameters) => {
  expect(numbered(source)).toEqual({ text, parameters });
});

test("a parameter has one number, whatever stands between its uses", () => {
  const name = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 12 }), (names) => {
      const { text, parameters } = numbered(
        names.map((each) => `f(:${each}::text)`).join(" and '::x :y' = "),
      );
      expect(parameters).toEqual([...new Set(names)]);
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(names.map((each) => parameters.indexOf(each) + 1));
    }),
  );
});

test("strings and comments of composed text keep what looks like a mark", () => {
  const text = `select '{"a!": 1, "b: c": 2}' as b -- "c!"\n, 'it''s "d?"'`;
  expect(withoutMarks(text)).toBe(text);
});

test("composed text keeps its numbers and loses the marks of its aliases", () => {
  expect(withoutMarks('select a as "a!", b as "b: B[]", "c" from t where d = $1')).toBe(
    'select a as "a", b as "b", "c" from t where d = $1',
  );
});
