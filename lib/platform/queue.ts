import "server-only";
import { log } from "@/lib/platform/log";
import { onWake, type Topic } from "@/lib/platform/wake";

export interface QueueOptions<Item> {
  name: string;
  topic: Topic;
  /** How many items may be in hand at once. */
  most: number;
  /** Leases up to `limit` due items from the domain table (FOR UPDATE SKIP LOCKED). */
  claim(limit: number): Promise<Item[]>;
  /** Does one item and records what came of it. What it throws is logged: the lease runs out and the item comes back. */
  handle(item: Item): Promise<void>;
  /** Whether the end of an item is a reason to look for more; always, when left out. */
  isReady?(ended: Item): boolean;
  /** How often to look without being woken: for due times, and wake-ups that were lost. */
  pollMs: number;
}

export interface Queue {
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/** Works a domain table off as a queue: claims when woken, when a place comes free and every `pollMs`. */
export function startQueue<Item>(options: QueueOptions<Item>): Queue {
  const inHand = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;

  function look(): void {
    again = true;
    looking ??= claimUntilEmpty().finally(() => {
      looking = null;
      // Woken between the last claim and here.
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
    const free = options.most - inHand.size;
    if (stopped || free <= 0) return;
    try {
      const items = await options.claim(free);
      for (const item of items) take(item);
      // A full claim means there is probably more.
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
        inHand.delete(work);
        if (options.isReady?.(item) ?? true) look();
      });
    inHand.add(work);
  }

  const unsubscribe = onWake(options.topic, look);
  const timer = setInterval(look, options.pollMs);
  look();

  return {
    async stop() {
      stopped = true;
      unsubscribe();
      clearInterval(timer);
      // A claim under way has leased its items: they are finished like the others.
      await looking;
      while (inHand.size > 0) await Promise.all(inHand);
    },
  };
}
