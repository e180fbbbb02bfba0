import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import type { Contract } from "@/lib/platform/contract";
import { type CsvRow, type CsvTable, csvPages, MAX_CSV_ROWS } from "@/lib/platform/lists/csv-table";
import type { Guarded } from "@/lib/platform/rights/right";

type ListInput = { query?: object | undefined; params?: unknown };

/** The input of an export: the input of its list without paging. */
type ExportInput<Input extends ListInput> = Omit<Input, "query"> & {
  query: Omit<NonNullable<Input["query"]>, "cursor" | "limit">;
};

interface CsvFile<Input extends ListInput, Page, Item> {
  summary: string;
  /** The file name with its extension. */
  filename: string | ((input: ExportInput<Input>) => string);
  /** Whether people need a recent proof of their identity. */
  proof?: true;
  /** Rows per query, at most the list's maximum `limit`. Leave out for a list without pages. */
  pageRows?: number;
  itemsOf: (page: Page) => Item[];
  /** The value of each column, in the order of the file. */
  columns: Readonly<Record<string, (item: Item) => string | number | null | undefined>>;
  /** Fixes parts of the query for the following pages, from the first page. */
  fixedBy?: (page: Page) => Partial<NonNullable<Input["query"]>>;
}

/** A list as a CSV file, which a dashboard route serves with `csvEndpoint`. */
export interface CsvExport<Input> {
  contract: Contract & Guarded;
  run: (ctx: Context, input: Input) => Promise<CsvTable>;
}

/**
 * Returns the CSV export of a list: the same right, filters and errors, read page by page with the list's own
 * function, up to 100,000 rows.
 */
export function exportOf<Input extends ListInput, Page extends object, Item>(
  list: Contract & Guarded & { query?: z.ZodObject },
  read: (ctx: Context, input: Input) => Promise<Page>,
  { summary, filename, proof, pageRows, itemsOf, columns, fixedBy }: CsvFile<Input, Page, Item>,
): CsvExport<ExportInput<Input>> {
  const { tag, right, params, query, errors } = list;
  const { cursor: _cursor, limit: _limit, ...filters } = query?.shape ?? {};
  const names = Object.keys(columns);
  const toRow = (item: Item): CsvRow =>
    Object.fromEntries(names.map((name) => [name, columns[name]?.(item) ?? null]));

  return {
    contract: {
      summary,
      tag,
      right,
      ...(proof && { proof }),
      ...(params && { params }),
      query: z.object(filters),
      status: 200,
      errors,
    },
    run: async (ctx, input) => {
      let fixed = {};
      const readPage = async (cursor: string | undefined) => {
        const query = {
          ...input.query,
          ...fixed,
          ...(pageRows !== undefined && { cursor, limit: pageRows }),
        };
        // The filters and the page together are the input of the list.
        const page = await read(ctx, { ...input, query } as unknown as Input);
        fixed = fixedBy?.(page) ?? {};
        return { items: itemsOf(page), nextCursor: nextCursorOf(page) };
      };
      const name = typeof filename === "string" ? filename : filename(input);
      return { filename: name, columns: names, pages: csvPages(MAX_CSV_ROWS, readPage, toRow) };
    },
  };
}

function nextCursorOf(page: { next_cursor?: string | null }): string | null {
  return page.next_cursor ?? null;
}
