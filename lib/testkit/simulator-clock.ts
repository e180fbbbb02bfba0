import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, ResponseOf } from "@/lib/testkit/api-operations";

type ClockChange = BodyOf<"PUT /simulator/clock">;

/** The platform clock after a change. */
export type ClockReading = ResponseOf<"PUT /simulator/clock">;

/** A duration: seconds, or text such as `"90s"`, `"16m"`, `"24h"` or `"2d"`. */
export type Duration = number | `${number}${Unit}`;

type Unit = keyof typeof UNIT_SECONDS;

const UNIT_SECONDS = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** The platform clock of an instance with `CLOCK_CONTROL`. All accounts of the instance share it. */
export class SimulatorClock {
  constructor(private readonly api: ApiClient) {}

  /** Returns the time of the platform clock. */
  async now(): Promise<Date> {
    const { now } = await this.api.call("GET /simulator/clock");
    return new Date(now);
  }

  /**
   * Advances the clock. Work that becomes due runs at once. Throws ApiCallError with code 2011 on an instance without
   * `CLOCK_CONTROL`: start one with `createSimulator({ start: true })`. Throws TypeError for another duration.
   */
  advance(duration: Duration): Promise<ClockReading> {
    return this.change({ advance_seconds: toSeconds(duration) });
  }

  /** Stops the clock. */
  freeze(): Promise<ClockReading> {
    return this.change({ frozen: true });
  }

  /** Lets a stopped clock run. */
  unfreeze(): Promise<ClockReading> {
    return this.change({ frozen: false });
  }

  /** Returns to the wall clock. */
  reset(): Promise<ClockReading> {
    return this.change({ reset: true });
  }

  private change(body: ClockChange): Promise<ClockReading> {
    return this.api.call("PUT /simulator/clock", { body });
  }
}

function toSeconds(duration: Duration): number {
  if (typeof duration === "number") return duration;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(duration) ?? [];
  if (amount === undefined)
    throw new TypeError(`${duration} is not a duration such as "90s", "16m", "24h" or "2d".`);
  return Number(amount) * UNIT_SECONDS[unit as Unit];
}
