import "server-only";
import type { z } from "zod";
import type { Context } from "@/lib/platform/context";
import type { Contract } from "@/lib/platform/contract";
import { type CsvRow, type CsvTable, csvPages, MAX_CSV_ROWS } from "@/lib/platform/csv-table";
import type { Guarded } from "@/lib/platform/right";

type ListInput = { query: { cursor?: string | undefined; limit: number }; params?: unknown };

/** The input of an export: the input of its list without paging. */
type ExportInput<Input extends ListInput> = Omit<Input, "query"> & {
  query: Omit<Input["query"], "cursor" | "limit">;
};

interface CsvFile<Input extends ListInput, Page, Item> {
  summary: string;
  /** The file name with its extension. */
  filename: string | ((input: ExportInput<Input>) => string);
  /** Rows per query, at most the list's maximum `limit`. */
  pageRows: number;
  itemsOf: (page: Page) => Item[];
  /** The value of each column, in the order of the file. */
  columns: Readonly<Record<string, (item: Item) => string | number | null | undefined>>;
  /** Fixes parts of the query for the following pages, from the first page. */
  fixedBy?: (page: Page) => Partial<Input["query"]>;
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
export function exportOf<Input extends ListInput, Page extends { next_cursor: string | null }, Item>(
  list: Contract & Guarded & { query: z.ZodObject<{ cursor: z.ZodOptional; limit: z.ZodDefault }> },
  read: (ctx: Context, input: Input) => Promise<Page>,
  { summary, filename, pageRows, itemsOf, columns, fixedBy }: CsvFile<Input, Page, Item>,
): CsvExport<ExportInput<Input>> {
  const { tag, right, params, query, errors } = list;
  const filters = query.omit({ cursor: true, limit: true });
  const names = Object.keys(columns);
  const toRow = (item: Item): CsvRow =>
    Object.fromEntries(names.map((name) => [name, columns[name]?.(item) ?? null]));

  return {
    contract: { summary, tag, right, ...(params && { params }), query: filters, status: 200, errors },
    run: async (ctx, input) => {
      let fixed = {};
      const readPage = async (cursor: string | undefined) => {
        const query = { ...input.query, ...fixed, cursor, limit: pageRows };
        // The filters and the page together are the input of the list.
        const page = await read(ctx, { ...input, query } as unknown as Input);
        fixed = fixedBy?.(page) ?? {};
        return { items: itemsOf(page), nextCursor: page.next_cursor };
      };
      const name = typeof filename === "string" ? filename : filename(input);
      return { filename: name, columns: names, pages: csvPages(MAX_CSV_ROWS, readPage, toRow) };
    },
  };
}
