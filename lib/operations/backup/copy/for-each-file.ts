import "server-only";
import type { StoredObject } from "@/lib/adapters/storage/object-store";

/**
 * Calls `work` for each file of a list, at most `most` at the same time, while the list is read page by page. After a
 * failure, the remaining files are left out. Rejects with the first failure once all work has ended.
 */
export async function forEachFile(
  pages: AsyncIterable<StoredObject[]>,
  most: number,
  work: (file: StoredObject) => Promise<void>,
): Promise<void> {
  const files = filesOf(pages);
  // The workers share the generator. Leaving its loop by an error ends it for all of them.
  async function runWorker(): Promise<void> {
    for await (const file of files) await work(file);
  }
  const results = await Promise.allSettled(Array.from({ length: most }, runWorker));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function* filesOf(pages: AsyncIterable<StoredObject[]>): AsyncGenerator<StoredObject> {
  for await (const page of pages) yield* page;
}
