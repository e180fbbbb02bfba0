import "server-only";
import { failRateLimited, rateLimited } from "@/lib/platform/errors/errors";

const RETRY_SECONDS = 5;

export interface FairSlotsOptions {
  /** Maximum number of concurrent tasks of all owners. */
  total: number;
  /** Maximum number of concurrent tasks of one owner. */
  perOwner: number;
  /** Maximum number of waiting tasks of one owner. Further tasks are rejected. */
  waitingPerOwner: number;
  /**
   * Maximum number of waiting tasks of all owners. Beyond it, the owner with the most gives up its last one, so that a few
   * owners shut out no other. Absent = no limit.
   */
  waiting?: number;
}

/**
 * Runs expensive tasks a few at a time, fairly: each owner has a queue, and free slots go to the queues in turn. An owner
 * with many tasks delays only its own.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #running = new Map<string, number>();
  /** In the order of turns: an owner that got a slot moves to the end. */
  readonly #queues = new Map<string, PromiseWithResolvers<void>[]>();
  #total = 0;
  #waiting = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /** Runs `work` once `owner` gets a slot, first come first served within the owner. Errors: rate_limited. */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(owner);
    try {
      return await work();
    } finally {
      this.#release(owner);
    }
  }

  #acquire(owner: string): Promise<void> | void {
    const queue = this.#queues.get(owner) ?? [];
    if (queue.length === 0 && this.#isFree(owner)) return this.#take(owner);
    const { waitingPerOwner, waiting = Number.POSITIVE_INFINITY } = this.#options;
    if (queue.length >= waitingPerOwner) failRateLimited(RETRY_SECONDS);
    if (this.#waiting >= waiting) this.#makeRoom(queue.length);
    this.#queues.set(owner, queue);
    this.#waiting++;
    const turn = Promise.withResolvers<void>();
    queue.push(turn);
    return turn.promise;
  }

  /** For an owner of whom `own` tasks wait. */
  #makeRoom(own: number): void {
    const [longest = []] = [...this.#queues.values()].sort((a, b) => b.length - a.length);
    if (longest.length < own + 2) failRateLimited(RETRY_SECONDS);
    longest.pop()?.reject(rateLimited(RETRY_SECONDS));
    this.#waiting--;
  }

  #isFree(owner: string): boolean {
    const { total, perOwner } = this.#options;
    return this.#total < total && (this.#running.get(owner) ?? 0) < perOwner;
  }

  #take(owner: string): void {
    this.#total++;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
  }

  #release(owner: string): void {
    this.#total--;
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);

    const next = [...this.#queues].find(([candidate]) => this.#isFree(candidate));
    if (next !== undefined) this.#start(...next);
  }

  #start(owner: string, queue: PromiseWithResolvers<void>[]): void {
    this.#queues.delete(owner);
    this.#take(owner);
    this.#waiting--;
    queue.shift()?.resolve();
    if (queue.length > 0) this.#queues.set(owner, queue);
  }
}
