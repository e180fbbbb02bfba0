import "server-only";
import { FAULTS } from "@/lib/adapters/transports/simulator/faults";

/** What a partner sees of each fault a simulated phone can have. */
export const FAULT_EFFECTS: readonly { name: string; effect: string }[] = Object.entries(FAULTS).map(
  ([name, { effect }]) => ({ name, effect }),
);
