import "server-only";
import { failRateLimited } from "@/lib/platform/errors";

const WINDOW_MS = 60_000;
const MOST_KEYS = 50_000;

/** How often each key may ask within a minute, in this process. */
export interface PageLimit {
  /** Counts one; throws rate_limited over the limit. */
  take(key: string): void;
}

/** A limit for pages that people without a token open: it keeps a guess or a loop from becoming load. */
export function createPageLimit(perMinute: number): PageLimit {
  let windowFrom = 0;
  let counts = new Map<string, number>();
  return {
    take(key) {
      const at = Date.now();
      if (at - windowFrom >= WINDOW_MS || counts.size > MOST_KEYS) {
        windowFrom = at;
        counts = new Map();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > perMinute) failRateLimited(Math.ceil((windowFrom + WINDOW_MS - at) / 1000));
    },
  };
}
