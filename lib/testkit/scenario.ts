import { createSimulator, type Simulator, type SimulatorOptions } from "@/lib/testkit/create-simulator";

/** A conversation with a promise: a test that is also documentation. */
export interface Scenario {
  /** A few words, unique among scenarios. */
  title: string;
  /** The behavior that the scenario proves, in one or two sentences. */
  promise: string;
  /** The number of lines of the account. Defaults to 1. */
  lines?: number;
  /** Acts and asserts. Throws if the promise is broken. */
  run(sim: Simulator): Promise<void>;
}

/** Declares a scenario: the default export of its file. */
export function scenario(declared: Scenario): Scenario {
  return declared;
}

/**
 * Runs a scenario in a new account whose seed is the title. A scenario that moves the clock leaves it moved: a clock
 * that goes back would count messages that seem to be sent in the future toward limits. Throws the scenario's error.
 */
export async function runScenario(
  { title, lines, run }: Scenario,
  options: SimulatorOptions = {},
): Promise<void> {
  const sim = await createSimulator({
    seed: title,
    name: title,
    ...(lines === undefined ? {} : { lines }),
    ...options,
  });
  try {
    await run(sim);
  } finally {
    await sim.close();
  }
}
