import "server-only";
import { onWake, type Topic } from "@/lib/platform/database/wake";
import { log } from "@/lib/platform/telemetry/log";

/** Whether a queue claims again at the end of an item. `claim soon` claims within 20 ms, or with an earlier claim. */
export type AfterItem = "claim" | "claim soon" | "wait";

/** The end of an item. */
interface ItemEnd<Item, Result> {
  item: Item;
  /** The result of `handle`; null when it failed. */
  result: Result | null;
  /** The queue was woken since the claim of the item began. */
  isWoken: boolean;
  /** The last claim got as many items as it asked for, so more may be due. */
  wasFull: boolean;
}

const SOON_MS = 20;
/** After this many polls without a wake-up or an item, the queue polls less often. */
const BUSY_POLLS = 20;
const QUIET_FACTOR = 4;
/** While nothing waits, a poll finds only work whose wake-up was lost. */
const EMPTY_POLL_MS = 5000;
const EARLIEST_EMPTY_POLL_MS = EMPTY_POLL_MS / 2;

export interface QueueOptions<Item, Result = void> {
  name: string;
  topic: Topic;
  /** Maximum number of items in progress. */
  most: number;
  /** Leases up to `limit` due items from the domain table (FOR UPDATE SKIP LOCKED). */
  claim(limit: number): Promise<Item[]>;
  /** Processes one item and records the result. Errors are logged: the lease expires and the item is claimed again. */
  handle(item: Item): Promise<Result>;
  /** Decides what follows the end of an item: by default the queue looks immediately. */
  afterItem?(end: ItemEnd<Item, Result>): AfterItem;
  /** The polling interval, for due times and lost wake-ups. Four times as long while nothing happens. */
  pollMs: number;
  /**
   * Whether an item waits, due or not. While nothing happens, polls ask this before they claim, and come only about
   * every 5 seconds as long as no item waits.
   */
  hasWaiting?(): Promise<boolean>;
}

export interface Queue {
  /** Claims nothing new and waits for the items in progress. */
  stop(): Promise<void>;
}

/** All queues of a process ask at the same times, so that their questions share a statement (`hasRows`). */
function emptyPollMs(): number {
  const left = EMPTY_POLL_MS - (performance.now() % EMPTY_POLL_MS);
  return left < EARLIEST_EMPTY_POLL_MS ? left + EMPTY_POLL_MS : left;
}

/**
 * Processes a domain table as a queue: claims when woken, when an item ends (see `AfterItem`) and every `pollMs`, less
 * often while nothing happens.
 */
export function startQueue<Item, Result = void>(options: QueueOptions<Item, Result>): Queue {
  const inFlight = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | null = null;
  let again = false;
  let wasFull = false;
  let wakeUps = 0;
  let soon: NodeJS.Timeout | null = null;

  function look(): void {
    again = true;
    if (soon !== null) clearTimeout(soon);
    soon = null;
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
    const wakeUpsBefore = wakeUps;
    try {
      const items = await options.claim(free);
      if (items.length > 0) pollOften();
      for (const item of items) take(item, wakeUpsBefore);
      // A full claim means that there is probably more.
      wasFull = items.length === free;
      if (wasFull) again = true;
    } catch (error) {
      log.error({ err: error, queue: options.name }, "work could not be claimed");
    }
  }

  function take(item: Item, wakeUpsBefore: number): void {
    const work = options
      .handle(item)
      .catch((error) => {
        log.error({ err: error, queue: options.name }, "an item failed and will be retried");
        return null;
      })
      .then((result) => {
        inFlight.delete(work);
        if (stopped) return;
        const end = { item, result, isWoken: wakeUps > wakeUpsBefore, wasFull };
        const next = options.afterItem?.(end) ?? "claim";
        if (next === "claim") look();
        else if (next === "claim soon") soon ??= setTimeout(look, SOON_MS);
      });
    inFlight.add(work);
  }

  let quietPolls = 0;
  let polling: Promise<void> | null = null;
  let poll = setTimeout(lookByPoll, options.pollMs);
  const isQuiet = () => quietPolls > BUSY_POLLS;

  function pollIn(ms: number): void {
    clearTimeout(poll);
    if (!stopped) poll = setTimeout(lookByPoll, ms);
  }

  function lookByPoll(): void {
    quietPolls++;
    if (isQuiet() && options.hasWaiting !== undefined) {
      polling = lookIfWaiting(options.hasWaiting).finally(() => {
        polling = null;
      });
      return;
    }
    pollIn(options.pollMs * (isQuiet() ? QUIET_FACTOR : 1));
    look();
  }

  async function lookIfWaiting(hasWaiting: () => Promise<boolean>): Promise<void> {
    // The claim reports an unavailable database.
    const isWaiting = await hasWaiting().catch(() => true);
    // Woken meanwhile: the wake-up has looked and set the next poll.
    if (stopped || !isQuiet()) return;
    pollIn(isWaiting ? options.pollMs * QUIET_FACTOR : emptyPollMs());
    if (isWaiting) look();
  }

  function pollOften(): void {
    const wasQuiet = isQuiet();
    quietPolls = 0;
    if (wasQuiet) pollIn(options.pollMs);
  }

  const unsubscribe = onWake(options.topic, () => {
    wakeUps++;
    pollOften();
    look();
  });
  look();

  return {
    async stop() {
      stopped = true;
      unsubscribe();
      clearTimeout(poll);
      if (soon !== null) clearTimeout(soon);
      await polling;
      // A claim in progress has leased its items, so they are finished like the others.
      await looking;
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}
