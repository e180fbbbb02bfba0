/** Maximum number of rows in a file. */
export const MAX_CSV_ROWS = 100_000;

export type CsvRow = Record<string, string | number | null>;

/** The table of an export. */
export interface CsvTable {
  /** The file name with its extension. */
  filename: string;
  columns: readonly string[];
  /** Read one by one, as fast as the reader accepts them. The return value ends the file. */
  pages: AsyncIterator<CsvRow[], CsvEnd>;
}

/** The number of rows after which a table was truncated. undefined = complete. */
type CsvEnd = number | undefined;

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** Yields the pages of a list as rows, in order. Returns `most` when it stopped at this many rows. */
export async function* csvPages<Item>(
  most: number,
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  toRow: (item: Item) => CsvRow,
): AsyncGenerator<CsvRow[], CsvEnd> {
  let cursor: string | null | undefined;
  let left = most;
  while (cursor !== null) {
    const page: Page<Item> = await read(cursor);
    yield page.items.slice(0, left).map(toRow);
    left -= page.items.length;
    cursor = page.nextCursor;
    if (left < 0 || (left === 0 && cursor !== null)) return most;
  }
  return undefined;
}
