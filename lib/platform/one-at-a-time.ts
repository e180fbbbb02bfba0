import "server-only";

const ends = new Map<string, Promise<unknown>>();

/**
 * Runs work of the same key one after the other in this process, so that what waits for a lock of the database holds one
 * connection, not the whole pool. What fails does not stop the next.
 */
export async function oneAtATime<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = ends.get(key) ?? Promise.resolve();
  const mine = before.then(work);
  const end = mine.catch(() => undefined);
  ends.set(key, end);
  try {
    return await mine;
  } finally {
    if (ends.get(key) === end) ends.delete(key);
  }
}
