import "server-only";
import { log } from "@/lib/platform/log";
import { onWake, type Topic } from "@/lib/platform/wake";

export interface QueueOptions<Item> {
  name: string;
  topic: Topic;
  /** Maximum number of items in progress. */
  most: number;
  /** Leases up to `limit` due items from the domain table (FOR UPDATE SKIP LOCKED). */
  claim(limit: number): Promise<Item[]>;
  /** Processes one item and records the result. Errors are logged: the lease expires and the item is claimed again. */
  handle(item: Item): Promise<void>;
  /** Whether the end of an item is a reason to look for more work. Always, by default. */
  isReady?(ended: Item): boolean;
  /** The polling interval, for due times and lost wake-ups. */
  pollMs: number;
}

export interface Queue {
  /** Claims nothing new and waits for the items in progress. */
  stop(): Promise<void>;
}

/** Processes a domain table as a queue: claims when woken, when an item ends and every `pollMs`. */
export function startQueue<Item>(options: QueueOptions<Item>): Queue {
  const inFlight = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): void {
    again = true;
    looking ??= claimUntilEmpty().finally(() => {
      looking = null;
      // Woken since the last claim.
      if (again && !stopped) look();
    });
  }

  async function claimUntilEmpty(): Promise<void> {
    while (again && !stopped) {
      again = false;
      await claimOnce();
    }
  }

  async function claimOnce(): Promise<void> {
    const free = options.most - inFlight.size;
    if (stopped || free <= 0) return;
    try {
      const items = await options.claim(free);
      for (const item of items) take(item);
      // A full claim means that there is probably more.
      if (items.length === free) again = true;
    } catch (error) {
      log.error({ err: error, queue: options.name }, "work could not be claimed");
    }
  }

  function take(item: Item): void {
    const work = options
      .handle(item)
      .catch((error) => log.error({ err: error, queue: options.name }, "an item failed and will be retried"))
      .finally(() => {
        inFlight.delete(work);
        if (options.isReady?.(item) ?? true) look();
      });
    inFlight.add(work);
  }

  const unsubscribe = onWake(options.topic, look);
  const timer = setInterval(look, options.pollMs);
  look();

  return {
    async stop() {
      stopped = true;
      unsubscribe();
      clearInterval(timer);
      // A claim in progress has leased its items, so they are finished like the others.
      await looking;
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}
