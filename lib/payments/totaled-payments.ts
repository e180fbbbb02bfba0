import "server-only";

/** Totals cover this many of the newest payments that match the filters, so that they never read a whole history. */
export const MAX_TOTALED = 10_000;
