import "server-only";

const FIRST = 16;
const FEWEST = 4;
const MOST = 64;

const FORGET_AFTER_MS = 60_000;

interface Endpoint {
  inHand: number;
  room: number;
  /** performance.now() */
  usedAt: number;
}

/**
 * How many deliveries each endpoint may have in flight. Good answers widen it one by one, trouble halves it: an endpoint
 * that hangs soon holds few places, and the others never wait for it.
 */
export class EndpointSlots {
  readonly #endpoints = new Map<string, Endpoint>();

  /** What an endpoint gets of which nothing is known here. */
  readonly first = FIRST;

  take(subscriptionId: string): void {
    const endpoint = this.#endpoints.get(subscriptionId) ?? { inHand: 0, room: FIRST, usedAt: 0 };
    endpoint.inHand++;
    this.#endpoints.set(subscriptionId, endpoint);
  }

  giveBack(subscriptionId: string, wentWell: boolean): void {
    const endpoint = this.#endpoints.get(subscriptionId);
    if (endpoint === undefined) return;
    const { room } = endpoint;
    endpoint.inHand--;
    endpoint.room = wentWell ? Math.min(room + 1, MOST) : Math.max(Math.floor(room / 2), FEWEST);
    endpoint.usedAt = performance.now();
  }

  /** The free places of every endpoint that was used lately; others have `first`. */
  free(): { subscriptionIds: string[]; places: number[] } {
    const forget = performance.now() - FORGET_AFTER_MS;
    const subscriptionIds: string[] = [];
    const places: number[] = [];
    for (const [subscriptionId, { inHand, room, usedAt }] of this.#endpoints) {
      if (inHand === 0 && usedAt < forget) this.#endpoints.delete(subscriptionId);
      subscriptionIds.push(subscriptionId);
      places.push(Math.max(room - inHand, 0));
    }
    return { subscriptionIds, places };
  }
}
