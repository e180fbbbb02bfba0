import "server-only";
import { FAULTS } from "@/lib/adapters/transports/simulator/faults";

/** The effect of each fault of a simulated phone, as a partner sees it. */
export const FAULT_EFFECTS: readonly { name: string; effect: string }[] = Object.entries(FAULTS).map(
  ([name, { effect }]) => ({ name, effect }),
);
