import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, ResponseOf } from "@/lib/testkit/api-operations";

type ClockChange = BodyOf<"POST /simulator/clock">;

/** The clock after a change, and the work that ran because it became due. */
export type ClockReading = ResponseOf<"POST /simulator/clock">;

/** The platform clock of an instance with `CLOCK_CONTROL`. All accounts of the instance share it. */
export class SimulatorClock {
  constructor(private readonly api: ApiClient) {}

  /** Returns the time of the platform clock. */
  async now(): Promise<Date> {
    const { now } = await this.api.call("GET /simulator/clock");
    return new Date(now);
  }

  /**
   * Advances the clock by a duration such as `"16m"`, `"24h"` or `"2d"`, or by seconds, and runs all work that is due
   * then, in order of due time. Resolves when the instance is idle. Throws ApiCallError with code 2011 on an instance
   * without `CLOCK_CONTROL`: start one with `createSimulator({ start: true })`.
   */
  advance(duration: NonNullable<ClockChange["advance"]>): Promise<ClockReading> {
    return this.change({ advance: duration, run_until_idle: true });
  }

  /** Moves the clock from due time to due time until no queued work is left. */
  runUntilIdle(): Promise<ClockReading> {
    return this.change({ run_until_idle: true });
  }

  /** Stops the clock. Only `advance` and `runUntilIdle` move it then. */
  freeze(): Promise<ClockReading> {
    return this.change({ freeze: true });
  }

  /** Lets a stopped clock run. */
  unfreeze(): Promise<ClockReading> {
    return this.change({ freeze: false });
  }

  /** Returns to the wall clock. */
  reset(): Promise<ClockReading> {
    return this.change({ reset: true });
  }

  private change(body: ClockChange): Promise<ClockReading> {
    return this.api.call("POST /simulator/clock", { body });
  }
}
