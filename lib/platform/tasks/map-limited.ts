import "server-only";

/** Calls a function for each item, at most `most` at the same time. Returns the results in the order of the items. */
export async function mapLimited<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting = items.entries();
  async function runWorker(): Promise<void> {
    for (const [index, item] of waiting) {
      results[index] = await work(item).then(
        (value) => ({ status: "fulfilled" as const, value }),
        (reason: unknown) => ({ status: "rejected" as const, reason }),
      );
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runWorker));
  return results;
}
