/**
 * The number of rows at the beginning that are newer than `top`, the first row that the reader saw. 0 when the list
 * follows, or when that row is gone.
 */
export function countHeld<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  top: string | null,
): number {
  return top === null
    ? 0
    : Math.max(
        0,
        rows.findIndex((row) => rowKey(row) === top),
      );
}
