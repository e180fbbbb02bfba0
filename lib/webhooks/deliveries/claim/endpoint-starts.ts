import "server-only";
import { clockParameters } from "@/lib/platform/time/clock";

const MAX_ENDPOINTS = 100;
/**
 * A delivery can be stored later than it became due: its transaction took long, or a transport reported late. This long
 * before the first one found is searched too. An even later one is found by the next search of all.
 */
const MARGIN_MS = 10_000;
const SEARCH_ALL_MS = 2000;

/** From which due time the deliveries of some endpoints are searched. */
export interface Starts {
  subscriptionIds: string[];
  /** Platform clock. */
  from: Date[];
}

/**
 * Remembers where the waiting deliveries of the endpoints used last begin, at most 100. The index of waiting deliveries
 * keeps the entries of ended ones until PostgreSQL vacuums the table, and the larger the table, the rarer that is. A
 * search from the beginning would read them all each time. Every 2 seconds, and after the platform clock was set, all
 * deliveries are searched, so none is missed.
 */
export class EndpointStarts {
  readonly #from = new Map<string, Date>();
  #clock = readSetting();
  #searchedAllAt = Number.NEGATIVE_INFINITY;

  /** The starts for the next search; none when it searches all. */
  next(): Starts {
    const clock = readSetting();
    if (clock !== this.#clock) this.#from.clear();
    this.#clock = clock;
    const at = performance.now();
    if (this.#from.size === 0 || at - this.#searchedAllAt >= SEARCH_ALL_MS) {
      this.#searchedAllAt = at;
      return { subscriptionIds: [], from: [] };
    }
    return { subscriptionIds: [...this.#from.keys()], from: [...this.#from.values()] };
  }

  /** Records the due time of an endpoint's first waiting delivery. */
  note(subscriptionId: string, firstDueAt: Date): void {
    this.#from.delete(subscriptionId);
    this.#from.set(subscriptionId, new Date(firstDueAt.getTime() - MARGIN_MS));
    const [oldest] = this.#from.keys();
    if (this.#from.size > MAX_ENDPOINTS && oldest !== undefined) this.#from.delete(oldest);
  }
}

function readSetting(): string {
  const { clockFrozenAt, clockOffsetMs } = clockParameters();
  return `${Number(clockFrozenAt)} ${clockOffsetMs}`;
}
