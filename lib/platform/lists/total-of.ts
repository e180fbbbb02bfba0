import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import type { Sql, SqlText } from "@/lib/platform/database/db";
import { ApiError } from "@/lib/platform/errors/errors";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import type { Page } from "@/lib/platform/lists/page";

/** How far the rows of a list are counted. Counting 10,000 rows takes longer than reading the page. */
export const MAX_COUNTED_ROWS = 1000;
const TIMEOUT_MS = 1000;

/** The `total` of a list's first page. */
export const ListTotal = z
  .object({
    count: z.int().describe(`The number of items that match the filters, at most ${MAX_COUNTED_ROWS}.`),
    is_capped: z.boolean().describe(`\`true\` if more than ${MAX_COUNTED_ROWS} items match.`),
  })
  .nullable()
  .meta({
    description:
      "Number of items that match the filters. `null` after the first page, and when counting takes longer than one second.",
    examples: [{ count: 128, is_capped: false }],
  });

export type ListTotal = z.infer<typeof ListTotal>;

/** Runs a statement of `countSql`. */
type Count = (tx: Sql) => Promise<readonly { count: number }[]>;

interface Counted {
  /** The cursor of the requested page. Only a first page has a total. */
  cursor: string | undefined;
  /** null for a list whose rows no index finds; it has a total only if it fits on one page. */
  count: Count | null;
}

/** SQL that counts the rows of all pages up to the limit, from `select from … where …` without order and limit. */
export function countSql(rows: string): string {
  return `select count(*)::int as count from (${rows} limit ${MAX_COUNTED_ROWS + 1}) counted`;
}

/** Counts rows whose text is composed at run time. */
export function countText({ text, values }: SqlText): Count {
  return (tx) => tx.runText({ text: countSql(text), ...(values && { values }) });
}

/**
 * The total of a list: the number of rows that match its filters, up to `MAX_COUNTED_ROWS`. Costs no statement if the
 * list fits on its first page, otherwise one. null for further pages, when the count takes too long, and when the
 * account has too many waiting searches.
 */
export async function totalOf(
  ctx: Context,
  page: Page<unknown>,
  { cursor, count: countRows }: Counted,
): Promise<ListTotal> {
  if (cursor !== undefined) return null;
  if (page.nextCursor === null) return { count: page.items.length, is_capped: false };
  if (countRows === null) return null;
  try {
    const [row] = await boundedSearch(ctx.account.id, TIMEOUT_MS, countRows);
    const count = row?.count ?? 0;
    return { count: Math.min(count, MAX_COUNTED_ROWS), is_capped: count > MAX_COUNTED_ROWS };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
