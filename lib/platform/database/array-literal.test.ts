import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { expect, test } from "vitest";
import { arrayLiteral } from "@/lib/platform/database/array-literal";
import { sql } from "@/lib/platform/database/db";

const Text = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "").toWellFormed());
const Words = fc.constantFrom("NULL", "null", "", " ", '"', "\\", "{}", "a,b", "\n", "\\N", "'", "é😀");

test("texts arrive as they were", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.oneof(Text, Words))), async (texts) => {
      const [row] = await sql.runText<{ texts: (string | null)[] }>({
        text: "select $1::text[] as texts",
        values: [texts],
      });
      expect(arrayLiteral(texts)).toBeTypeOf("string");
      expect(row?.texts).toEqual(texts);
    }),
    { numRuns: 200 },
  );
});

test("numbers, truths and moments arrive as they were", async () => {
  const moments = [new Date(0), new Date("2026-02-03T04:05:06.789Z"), new Date("0001-01-01T00:00:00Z"), null];
  const [row] = await sql.runText({
    text: "select $1::float8[] as numbers, $2::boolean[] as truths, $3::timestamptz[] as moments, $4::bigint[] as large",
    values: [
      [1, -2.5, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
      [true, false, undefined],
      moments,
      [2n ** 62n],
    ],
  });
  expect(row).toEqual({
    numbers: [1, -2.5, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
    truths: [true, false, null],
    moments,
    large: [String(2n ** 62n)],
  });
});

test("the driver writes what is bytes, nested or far from our time", async () => {
  const bytes = [Buffer.from([0, 92, 34]), Buffer.from("x")];
  expect(arrayLiteral(bytes)).toBeNull();
  expect(arrayLiteral([["a"]])).toBeNull();
  expect(arrayLiteral([new Date(-1e14)])).toBeNull();

  const [row] = await sql.runText({
    text: "select $1::bytea[] as bytes, $2::text[][] as nested",
    values: [
      bytes,
      [
        ["a,", 'b"'],
        ["c", "d"],
      ],
    ],
  });
  expect(row).toEqual({
    bytes,
    nested: [
      ["a,", 'b"'],
      ["c", "d"],
    ],
  });
});
