import "server-only";
import { PollTimer } from "@/lib/platform/database/poll-timer";
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

/**
 * Processes a domain table as a queue: claims when woken, when an item ends (see `AfterItem`) and every `pollMs`, less
 * often while nothing happens.
 */
export function startQueue<Item, Result = void>(options: QueueOptions<Item, Result>): Queue {
  return new TableQueue(options);
}

class TableQueue<Item, Result> implements Queue {
  readonly #options: QueueOptions<Item, Result>;
  readonly #polls: PollTimer;
  readonly #unsubscribe: () => void;
  readonly #inFlight = new Set<Promise<void>>();
  #isStopped = false;
  #claiming: Promise<void> | null = null;
  /** Something happened since the claim in progress began. */
  #claimsAgain = false;
  #wasFull = false;
  #wakeUps = 0;
  #soon: NodeJS.Timeout | null = null;

  constructor(options: QueueOptions<Item, Result>) {
    this.#options = options;
    this.#polls = new PollTimer({ ...options, onPoll: () => this.#claim() });
    this.#unsubscribe = onWake(options.topic, () => {
      this.#wakeUps++;
      this.#polls.pollOften();
      this.#claim();
    });
    this.#claim();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    if (this.#soon !== null) clearTimeout(this.#soon);
    await this.#polls.stop();
    // A claim in progress has leased its items, so they are finished like the others.
    await this.#claiming;
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Claims now, or after the claim in progress. */
  #claim(): void {
    this.#claimsAgain = true;
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#soon = null;
    this.#claiming ??= this.#claimUntilEmpty().finally(() => {
      this.#claiming = null;
      // Woken since the last claim.
      if (this.#claimsAgain && !this.#isStopped) this.#claim();
    });
  }

  async #claimUntilEmpty(): Promise<void> {
    while (this.#claimsAgain && !this.#isStopped) {
      this.#claimsAgain = false;
      await this.#claimOnce();
    }
  }

  async #claimOnce(): Promise<void> {
    const free = this.#options.most - this.#inFlight.size;
    if (this.#isStopped || free <= 0) return;
    const wakeUpsBefore = this.#wakeUps;
    try {
      const items = await this.#options.claim(free);
      if (items.length > 0) this.#polls.pollOften();
      for (const item of items) this.#start(item, wakeUpsBefore);
      // A full claim means that there is probably more.
      this.#wasFull = items.length === free;
      if (this.#wasFull) this.#claimsAgain = true;
    } catch (error) {
      log.error({ err: error, queue: this.#options.name }, "work could not be claimed");
    }
  }

  #start(item: Item, wakeUpsBefore: number): void {
    const work = this.#options
      .handle(item)
      .catch((error) => {
        log.error({ err: error, queue: this.#options.name }, "an item failed and will be retried");
        return null;
      })
      .then((result) => {
        this.#inFlight.delete(work);
        if (this.#isStopped) return;
        this.#claimAfter({ item, result, isWoken: this.#wakeUps > wakeUpsBefore, wasFull: this.#wasFull });
      });
    this.#inFlight.add(work);
  }

  #claimAfter(end: ItemEnd<Item, Result>): void {
    const next = this.#options.afterItem?.(end) ?? "claim";
    if (next === "claim") this.#claim();
    else if (next === "claim soon") this.#soon ??= setTimeout(() => this.#claim(), SOON_MS);
  }
}
