import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, ResponseOf } from "@/lib/testkit/api-operations";

/** The limits of an account and the messages that count today. */
export type Limits = ResponseOf<"GET /simulator/limits">;

/** Limits to change. `null` is no limit. */
export type LimitChange = Omit<BodyOf<"PUT /simulator/limits">, "reset">;

/** The limits of an account: messages per day, messages per minute to one phone, requests per minute, and loops. */
export class SimulatorLimits {
  constructor(private readonly api: ApiClient) {}

  /** Returns the limits. */
  get(): Promise<Limits> {
    return this.api.call("GET /simulator/limits");
  }

  /** Changes limits, for example `{ daily_messages: 5 }`. Other limits stay. */
  set(limits: LimitChange): Promise<Limits> {
    return this.api.call("PUT /simulator/limits", { body: limits });
  }

  /** Sets every counter to zero, and resumes chats that are on hold for a loop. The limits stay. */
  reset(): Promise<Limits> {
    return this.api.call("PUT /simulator/limits", { body: { reset: true } });
  }
}
