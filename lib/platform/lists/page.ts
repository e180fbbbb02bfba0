import "server-only";
import { z } from "zod";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";

/** One page of a keyset list, with the position of the next page, or null at the end. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * Removes the extra row that was fetched to detect a next page. `keyOf` returns the keyset of a row. The cursor is
 * opaque to clients (docs/contract.md, section 1.6).
 */
export function toPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => readonly string[]): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, nextCursor: more ? encodeCursor(keyOf(last)) : null };
}

export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** Parses a cursor. Throws parameter_invalid for anything that Trunkline did not create. */
export function decodeCursor<Key extends z.ZodType>(cursor: string, key: Key): z.output<Key> {
  const result = key.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  return result.success
    ? result.data
    : fail("parameter_invalid", "cursor must be a value that this list returned");
}

/** `?limit=`: an integer from 1 to `max` (docs/contract.md, section 1.6). */
export function limitParameter(max: number, byDefault: number) {
  return z
    .string()
    .regex(/^\d{1,6}$/, "limit must be a whole number")
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `limit must be from 1 to ${max}`)
    .default(byDefault)
    .meta({ description: `Page size, 1 to ${max}. Defaults to ${byDefault}.`, examples: [`${byDefault}`] });
}

/** `?cursor=`: the start of a page. */
export const cursorParameter = z
  .string()
  .check(maxUnits(500))
  .optional()
  .describe("The `next_cursor` of the previous page. Omit for the first page.");

/** The cursor of the next page in a response. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Cursor of the next page; `null` on the last page.", examples: [null] });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
