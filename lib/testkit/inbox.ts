import { WaitTimeoutError } from "@/lib/testkit/wait-timeout-error";

interface Waiter<Item> {
  matches(item: Item): boolean;
  resolve(item: Item): void;
}

/** The condition of a wait and its time limit. */
export interface Wanted<Item> {
  matches(item: Item): boolean;
  /** Names the item, as in "webhook message.received matching /hi/". */
  expected: string;
  timeoutMs: number;
  /** Ends the wait with the signal's reason. */
  signal?: AbortSignal;
}

/** The items of an inbox at one moment. */
export interface InboxMemory<Item> {
  readonly items: readonly Item[];
  readonly all: readonly Item[];
}

/**
 * Arrived items that waits consume: each item resolves one wait, so that two equal waits in a row see two items. Items
 * that no wait asked for yet are kept in order of arrival.
 */
export class Inbox<Item> {
  private readonly items: Item[] = [];
  private readonly waiters = new Set<Waiter<Item>>();

  constructor(private readonly describe: (item: Item) => string) {}

  /** All items in order of arrival, consumed or not. */
  readonly all: Item[] = [];

  /** Adds an item, which resolves the oldest wait that it matches. */
  add(item: Item): void {
    this.all.push(item);
    for (const waiter of this.waiters) {
      if (!waiter.matches(item)) continue;
      this.waiters.delete(waiter);
      waiter.resolve(item);
      return;
    }
    this.items.push(item);
  }

  /** Returns the oldest matching item that no wait has consumed, and consumes it. */
  take(matches: (item: Item) => boolean): Item | undefined {
    const index = this.items.findIndex(matches);
    return index === -1 ? undefined : this.items.splice(index, 1)[0];
  }

  /** Resolves with the next matching item. Throws WaitTimeoutError, or the reason of `signal`. */
  next({ matches, expected, timeoutMs, signal }: Wanted<Item>): Promise<Item> {
    const found = this.take(matches);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Item> = {
        matches,
        resolve: (item) => {
          clearTimeout(timer);
          resolve(item);
        },
      };
      const end = (error: unknown) => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        reject(error);
      };
      const timer = setTimeout(() => end(this.timeoutError(expected, timeoutMs)), timeoutMs);
      signal?.addEventListener("abort", () => end(signal.reason), { once: true });
      this.waiters.add(waiter);
    });
  }

  /** A copy of the items, for `rewind`. */
  capture(): InboxMemory<Item> {
    return { items: [...this.items], all: [...this.all] };
  }

  /** Replaces the items with those of a copy; without one, with none. Waits go on. */
  rewind({ items, all }: InboxMemory<Item> = { items: [], all: [] }): void {
    this.items.splice(0, Infinity, ...items);
    this.all.splice(0, Infinity, ...all);
  }

  /** The error of a wait that found nothing: says what arrived instead. */
  timeoutError(expected: string, timeoutMs: number): WaitTimeoutError {
    return new WaitTimeoutError(expected, timeoutMs, this.items.map(this.describe));
  }
}
