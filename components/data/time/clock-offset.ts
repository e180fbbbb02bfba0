/** Smaller differences are the time that the page took to arrive, or clocks that are not synchronized. */
const MIN_OFFSET_MS = 60_000;

/** How far the server's clock is ahead of the browser's, in milliseconds; 0 when they nearly agree. */
export function clockOffset(serverMs: number, browserMs: number): number {
  const offset = serverMs - browserMs;
  return Math.abs(offset) < MIN_OFFSET_MS ? 0 : offset;
}
