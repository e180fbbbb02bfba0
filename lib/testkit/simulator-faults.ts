import type { ApiClient } from "@/lib/testkit/api-client";
import type { BodyOf, ResponseOf } from "@/lib/testkit/api-operations";

/** A fault to add: what it matches, its effect and when it applies. */
export type NewFault = BodyOf<"POST /simulator/faults">;

/** A fault with its ID and the numbers of matches and applications. */
export type ActiveFault = ResponseOf<"POST /simulator/faults">;

/** The faults of an account: errors, delays and losses of API calls, of the network and of webhooks. */
export class SimulatorFaults {
  constructor(private readonly api: ApiClient) {}

  /** Adds a fault, for example `{ match: { route: "POST /v3/messages" }, effect: { type: "error", code: 1007 } }`. */
  add(fault: NewFault): Promise<ActiveFault> {
    return this.api.call("POST /simulator/faults", { body: fault });
  }

  /** Returns all faults with their counts. */
  async list(): Promise<readonly ActiveFault[]> {
    const { faults } = await this.api.call("GET /simulator/faults");
    return faults;
  }

  /** Removes one fault. */
  async remove(faultId: string): Promise<void> {
    await this.api.call("DELETE /simulator/faults/{fault}", { path: { fault: faultId } });
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.api.call("DELETE /simulator/faults");
  }
}
