export type CsvRow = Record<string, string | number | null>;

/** A table as a verb exports it. */
export interface CsvTable {
  /** Of the file, with its ending. */
  filename: string;
  columns: readonly string[];
  /** Read one after the other, as fast as the reader takes them. */
  pages: AsyncIterator<CsvRow[], undefined>;
}

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The pages of a list one after the other, as rows, until it ends or `most` rows were told. */
export async function* csvPages<Item>(
  most: number,
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  toRow: (item: Item) => CsvRow,
): AsyncGenerator<CsvRow[], undefined> {
  let cursor: string | null | undefined;
  let left = most;
  while (left > 0 && cursor !== null) {
    const page: Page<Item> = await read(cursor);
    const items = page.items.slice(0, left);
    yield items.map(toRow);
    left -= items.length;
    cursor = page.nextCursor;
  }
}
