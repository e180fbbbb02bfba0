import "server-only";

const FIRST = 16;
const FEWEST = 4;
const MAX = 128;
/**
 * An endpoint gets more deliveries once this share of its slots is free, so that claims are batches, not single rows.
 */
const FREE_AGAIN = 0.5;
/** The share of all slots reserved for idle endpoints, so that unresponsive endpoints cannot use all slots. */
const RESERVED = 0.25;

const FORGET_AFTER_MS = 60_000;

/** Free slots by endpoint id. */
export interface Offer {
  subscriptionIds: string[];
  places: number[];
}

interface Endpoint {
  inHand: number;
  limit: number;
  /** Whether more deliveries may be due than were claimed. */
  mayHaveMore: boolean;
  /** performance.now() */
  usedAt: number;
}

const IDLE = { inHand: 0, limit: FIRST };

/**
 * Limits the deliveries in flight of each endpoint. Every success raises the limit by one, and every failure halves
 * it, so an unresponsive endpoint soon holds few slots and delays no other endpoint. `all` is the process's limit for
 * all endpoints.
 */
export class EndpointSlots {
  readonly #endpoints = new Map<string, Endpoint>();
  #taken = 0;

  constructor(readonly all: number) {}

  /** The limit of an endpoint without a history in this process. */
  get first(): number {
    return this.#placesOf(IDLE);
  }

  /** The number of deliveries to claim: shared slots first, then the slots reserved for idle endpoints. */
  get claimable(): number {
    return this.#spare() || this.all - this.#taken;
  }

  take(subscriptionId: string): void {
    const endpoint = this.#endpoints.get(subscriptionId) ?? { ...IDLE, mayHaveMore: true, usedAt: 0 };
    endpoint.inHand++;
    this.#taken++;
    this.#endpoints.set(subscriptionId, endpoint);
  }

  release(subscriptionId: string, succeeded: boolean): void {
    const endpoint = this.#endpoints.get(subscriptionId);
    if (endpoint === undefined) return;
    const { limit } = endpoint;
    endpoint.inHand--;
    this.#taken--;
    endpoint.limit = succeeded ? Math.min(limit + 1, MAX) : Math.max(Math.floor(limit / 2), FEWEST);
    endpoint.usedAt = performance.now();
  }

  /** Records how many deliveries a claim found per endpoint, compared with the slots that `free` offered. */
  note({ subscriptionIds, places }: Offer, found: ReadonlyMap<string, number>): void {
    for (const [index, subscriptionId] of subscriptionIds.entries()) {
      const endpoint = this.#endpoints.get(subscriptionId);
      if (endpoint !== undefined) {
        endpoint.mayHaveMore = (found.get(subscriptionId) ?? 0) >= (places[index] ?? 0);
      }
    }
  }

  /** Whether an endpoint may have more due deliveries and has free slots for them. */
  isReady(subscriptionId: string): boolean {
    const endpoint = this.#endpoints.get(subscriptionId);
    return endpoint === undefined || (endpoint.mayHaveMore && this.#placesOf(endpoint) > 0);
  }

  /** Whether `isReady` is true for any endpoint. */
  get anyReady(): boolean {
    return [...this.#endpoints.keys()].some((subscriptionId) => this.isReady(subscriptionId));
  }

  /** The free slots of every recently used endpoint; others have `first`. */
  free(): Offer {
    const forget = performance.now() - FORGET_AFTER_MS;
    const subscriptionIds: string[] = [];
    const places: number[] = [];
    for (const [subscriptionId, endpoint] of this.#endpoints) {
      if (endpoint.inHand === 0 && endpoint.usedAt < forget) this.#endpoints.delete(subscriptionId);
      subscriptionIds.push(subscriptionId);
      places.push(this.#placesOf(endpoint));
    }
    return { subscriptionIds, places };
  }

  #placesOf({ inHand, limit }: Pick<Endpoint, "inHand" | "limit">): number {
    const free = inHand <= limit * (1 - FREE_AGAIN) ? limit - inHand : 0;
    const places = Math.min(free, this.#spare());
    return Math.max(places, inHand === 0 ? 1 : 0);
  }

  #spare(): number {
    return Math.max(Math.floor(this.all * (1 - RESERVED)) - this.#taken, 0);
  }
}
