/** The noun of a list, as used in a sentence. */
export interface ListNoun {
  /** For example "payment request". */
  one: string;
  /** For example "payment requests". */
  many: string;
}

/** The rows of a list that are loaded. */
export interface ShownRows {
  /** The number of rows on the pages that are loaded. */
  rows: number;
  hasMore: boolean;
  /** The total of the first page. Absent for a list without pages. */
  total: { count: number; is_capped: boolean } | null | undefined;
}

/**
 * The total of a list in words, for example "1,000+ payment requests". Once all rows are loaded, their number is the
 * total. Without a total, the text says that there are more rows.
 */
export function totalText(noun: ListNoun, { rows, hasMore, total }: ShownRows): string {
  if (!hasMore) return `${rows.toLocaleString("en-US")} ${rows === 1 ? noun.one : noun.many}`;
  const count = Math.max(total?.count ?? 0, rows);
  const isOpen = !total || total.is_capped;
  return `${count.toLocaleString("en-US")}${isOpen ? "+" : ""} ${noun.many}`;
}
