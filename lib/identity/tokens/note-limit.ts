import "server-only";

interface NoteLimitOptions {
  /** Time during which the same key is not recorded again. */
  quietMs: number;
  /** Of all keys together. */
  maxPerMinute: number;
  maxMemoized: number;
}

/** Whether something with this key may be noted now; then it counts as noted. */
export type NoteLimit = (key: string, atMs: number) => boolean;

/** Keeps a flood of the same or of many events from becoming a flood of notes, in bounded memory. */
export function createNoteLimit({ quietMs, maxPerMinute, maxMemoized }: NoteLimitOptions): NoteLimit {
  /** When each key was last noted, the oldest first. */
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
