import "server-only";

export const HOUR_MS = 3_600_000;

// Buckets begin at multiples of their size, in UTC.
function bucketOf(moment: Date, sizeMs: number): Date {
  return new Date(Math.floor(moment.getTime() / sizeMs) * sizeMs);
}

/** The last `count` buckets, oldest first, ending with the one that contains `now`. */
export function lastBuckets(now: Date, sizeMs: number, count: number): Date[] {
  const last = bucketOf(now, sizeMs).getTime();
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * sizeMs));
}
