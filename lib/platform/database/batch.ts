import "server-only";
import { markOutage, outageOf } from "@/lib/platform/database/database-outage";
import {
  currentScope,
  type DatabaseScope,
  inScope,
  newScope,
  recordOutcomes,
} from "@/lib/platform/database/database-scope";

interface Job<Item, Result> {
  item: Item;
  /** The scope of the item's caller: a write of the batch counts as a write of each of its items. */
  scope: DatabaseScope | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatchOptions<Item, Result> {
  /** Runs several items in one statement. Returns the results in the order of the items. */
  runMany(items: Item[]): Promise<Result[]>;
  /** Runs one item: for a batch of one, and for each item of a failed batch. */
  runOne(item: Item): Promise<Result>;
  /** Items with the same key are never in flight at the same time. null = no key. */
  keyOf?(item: Item): string | null;
  most?: number;
  /**
   * A batch in flight for longer is waiting for the disk or a processor, so a second batch may run beside it. Without
   * this option at most one batch runs.
   */
  besideAfterMs?: number;
}

interface Flight {
  since: number;
  keys: ReadonlySet<string>;
}

const MAX_IN_FLIGHT = 2;

/**
 * Group commit: one batch is in flight, and items that arrive meanwhile form the next batch. There is no timer, so a
 * single item does not wait (docs/decisions/0006). Each item starts after it was added, so it sees everything that
 * was committed before.
 */
export function batched<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { most = 200, besideAfterMs = Number.POSITIVE_INFINITY } = options;
  let flights: readonly Flight[] = [];
  let waiting: Job<Item, Result>[] = [];
  let starting = false;

  function isDelayed(): boolean {
    if (flights.length >= MAX_IN_FLIGHT) return true;
    const late = performance.now() - besideAfterMs;
    return flights.some((flight) => flight.since > late);
  }

  function start(): void {
    starting = false;
    if (waiting.length === 0 || isDelayed()) return;
    const { now, keys, later } = split(waiting, { ...options, most }, flights);
    if (now.length === 0) return;
    waiting = later;
    const flight = { since: performance.now(), keys };
    flights = [...flights, flight];
    const land = (isDatabaseGone: boolean) => {
      flights = flights.filter((other) => other !== flight);
      if (isDatabaseGone) refuseWaiting();
      start();
    };
    runBatch(now, options).then(land, () => land(false));
  }

  /**
   * Fails all waiting items immediately, because the next batches would wait for the same unavailable database one
   * after the other.
   */
  function refuseWaiting(): void {
    const refused = waiting;
    waiting = [];
    for (const { scope, reject } of refused) {
      const error = new Error("the database connection closed before the statement was sent");
      markOutage(error, "unsent");
      recordOutcomes(scope, false, "unsent");
      reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, scope: currentScope(), resolve, reject });
      if (starting || isDelayed()) return;
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

/** Runs a batch. Returns true when the database became unavailable. */
async function runBatch<Item, Result>(
  jobs: Job<Item, Result>[],
  options: BatchOptions<Item, Result>,
): Promise<boolean> {
  if (jobs.length > 1) {
    const scope = newScope();
    try {
      const results = await inScope(scope, () => options.runMany(jobs.map((job) => job.item)));
      for (const job of jobs) recordOutcomes(job.scope, scope.mayHaveWritten, null);
      for (const [index, job] of jobs.entries()) job.resolve(results[index] as Result);
      return false;
    } catch (error) {
      // One invalid item fails the whole statement, so each item then runs alone. A statement that may have been
      // committed must not run again, and one that was not sent would only wait again.
      if (isGone(error)) {
        for (const job of jobs) {
          recordOutcomes(job.scope, scope.mayHaveWritten, outageOf(error));
          job.reject(error);
        }
        return true;
      }
    }
  }
  const ends = jobs.map((job) =>
    inScope(job.scope ?? newScope(), () => options.runOne(job.item)).then(
      (result) => {
        job.resolve(result);
        return false;
      },
      (error) => {
        job.reject(error);
        return isGone(error);
      },
    ),
  );
  return (await Promise.all(ends)).includes(true);
}

function isGone(error: unknown): boolean {
  const outage = outageOf(error);
  return outage === "unknown" || outage === "unsent";
}
