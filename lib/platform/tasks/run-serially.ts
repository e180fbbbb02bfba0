import "server-only";

const ends = new Map<string, Promise<unknown>>();

/**
 * Runs work with the same key one after the other in this process, so that work waiting for a database lock holds one
 * connection, not the whole pool. A failure does not stop the next run.
 */
export async function runSerially<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
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
