import "server-only";

interface RecordLimitOptions {
  /** Time during which the same key is not recorded again. */
  quietMs: number;
  /** For all keys together. */
  maxPerMinute: number;
  maxMemoized: number;
}

/** Whether an event with this key may be recorded now. If so, counts it as recorded. */
export type RecordLimit = (key: string, atMs: number) => boolean;

/** Limits how often events are recorded, per key and in total, in bounded memory. */
export function createRecordLimit({ quietMs, maxPerMinute, maxMemoized }: RecordLimitOptions): RecordLimit {
  /** The last time each key was recorded, oldest first. */
  const lastMs = new Map<string, number>();
  let minute = 0;
  let notedInMinute = 0;

  return (key, atMs) => {
    const current = Math.floor(atMs / 60_000);
    if (current !== minute) {
      minute = current;
      notedInMinute = 0;
    }
    const last = lastMs.get(key);
    if (notedInMinute >= maxPerMinute || (last !== undefined && atMs - last < quietMs)) return false;

    notedInMinute++;
    lastMs.delete(key);
    lastMs.set(key, atMs);
    const [oldest] = lastMs.keys();
    if (lastMs.size > maxMemoized && oldest !== undefined) lastMs.delete(oldest);
    return true;
  };
}
