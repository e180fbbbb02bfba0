/** Rows a file holds at most. */
export const MAX_CSV_ROWS = 100_000;

export type CsvRow = Record<string, string | number | null>;

/** A table as a verb exports it. */
export interface CsvTable {
  /** Of the file, with its ending. */
  filename: string;
  columns: readonly string[];
  /** Read one after the other, as fast as the reader takes them; what they return ends the file. */
  pages: AsyncIterator<CsvRow[], CsvEnd>;
}

/** After how many rows a table was cut, when there are more of them; undefined = it is whole. */
type CsvEnd = number | undefined;

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** Yields the pages of a list as rows, in order. Returns `most` when it stopped at that many rows. */
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
