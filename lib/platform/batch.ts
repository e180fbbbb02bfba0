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
  /** Items with the same key are never in flight at once; null = no key. */
  keyOf?(item: Item): string | null;
  most?: number;
  /**
   * A batch in flight for longer waits for the disk or a processor: one more may go beside it. Without this there is
   * only ever one.
   */
  besideAfterMs?: number;
}

interface Flight {
  since: number;
  keys: ReadonlySet<string>;
}

const IN_FLIGHT_MOST = 2;

/**
 * Group commit: one batch is in flight; what arrives meanwhile goes into the next. No timer, so a lone item waits for
 * nothing (docs/decisions/0006). Each item starts after it was handed in, so it sees all that was committed before.
 */
export function batched<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { most = 200, besideAfterMs = Number.POSITIVE_INFINITY } = options;
  let flights: readonly Flight[] = [];
  let waiting: Job<Item, Result>[] = [];
  let starting = false;

  function isHeldBack(): boolean {
    if (flights.length >= IN_FLIGHT_MOST) return true;
    const late = performance.now() - besideAfterMs;
    return flights.some((flight) => flight.since > late);
  }

  function start(): void {
    starting = false;
    if (waiting.length === 0 || isHeldBack()) return;
    const { now, keys, later } = split(waiting, { ...options, most }, flights);
    if (now.length === 0) return;
    waiting = later;
    const flight = { since: performance.now(), keys };
    flights = [...flights, flight];
    const land = () => {
      flights = flights.filter((other) => other !== flight);
      start();
    };
    runBatch(now, options).then(land, land);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (starting || isHeldBack()) return;
      starting = true;
      setImmediate(start);
    });
}

function split<Item, Result>(
  jobs: Job<Item, Result>[],
  { keyOf, most }: { keyOf?: BatchOptions<Item, Result>["keyOf"]; most: number },
  flights: readonly Flight[],
): { now: Job<Item, Result>[]; keys: ReadonlySet<string>; later: Job<Item, Result>[] } {
  const keys = new Set<string>();
  const now: Job<Item, Result>[] = [];
  const later: Job<Item, Result>[] = [];
  const isInFlight = (key: string) => flights.some((flight) => flight.keys.has(key));
  for (const job of jobs) {
    const key = keyOf?.(job.item) ?? null;
    if (now.length >= most || (key !== null && (keys.has(key) || isInFlight(key)))) {
      later.push(job);
      continue;
    }
    if (key !== null) keys.add(key);
    now.push(job);
  }
  return { now, keys, later };
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
