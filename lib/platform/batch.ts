import "server-only";

interface Job<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchOptions<Item, Result> {
  /** Runs several items in one statement; the results in the order of the items. */
  runMany(items: Item[]): Promise<Result[]>;
  /** Runs one item. A batch of one uses it, and so does each item of a batch that failed. */
  runOne(item: Item): Promise<Result>;
  /** Items with the same key never share a batch; null = no key. */
  keyOf?(item: Item): string | null;
  most?: number;
}

/**
 * Group commit: one batch is in flight; what arrives meanwhile goes into the next. No timer, so a lone item waits for
 * nothing (docs/decisions/0006). Each item starts after it was handed in, so it sees all that was committed before.
 */
export function batched<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const most = options.most ?? 200;
  let waiting: Job<Item, Result>[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const { now, later } = split(waiting, most, options.keyOf);
      waiting = later;
      await runBatch(now, options);
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (busy) return;
      busy = true;
      setImmediate(drain);
    });
}

function split<Item, Result>(
  jobs: Job<Item, Result>[],
  most: number,
  keyOf: BatchOptions<Item, Result>["keyOf"],
): { now: Job<Item, Result>[]; later: Job<Item, Result>[] } {
  const seen = new Set<string>();
  const now: Job<Item, Result>[] = [];
  const later: Job<Item, Result>[] = [];
  for (const job of jobs) {
    const key = keyOf?.(job.item) ?? null;
    if (now.length >= most || (key !== null && seen.has(key))) {
      later.push(job);
      continue;
    }
    if (key !== null) seen.add(key);
    now.push(job);
  }
  return { now, later };
}

async function runBatch<Item, Result>(
  jobs: Job<Item, Result>[],
  options: BatchOptions<Item, Result>,
): Promise<void> {
  if (jobs.length > 1) {
    try {
      const results = await options.runMany(jobs.map((job) => job.item));
      for (const [index, job] of jobs.entries()) job.resolve(results[index] as Result);
      return;
    } catch {
      // One bad item fails the whole statement: each gets its own answer below.
    }
  }
  await Promise.all(jobs.map((job) => options.runOne(job.item).then(job.resolve, job.reject)));
}
