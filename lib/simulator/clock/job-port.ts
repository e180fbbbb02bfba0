import "server-only";

/** Runs a recurring job once, by its name in lib/runtime/jobs/schedules.ts. */
type RunJob = (name: string, stop: AbortSignal) => Promise<number>;

const shared = globalThis as typeof globalThis & { trunklineRunJob?: RunJob };

/** Connects the recurring jobs of the runtime. Every process calls it at its start (lib/runtime/wiring). */
export function provideJobs(run: RunJob): void {
  shared.trunklineRunJob = run;
}

/** Runs the work of a recurring job that is due now. Throws when no jobs were provided. */
export function runJob(name: string, stop: AbortSignal): Promise<number> {
  if (shared.trunklineRunJob === undefined) {
    throw new Error("no jobs are provided: call registerDependencies() of lib/runtime/wiring at the start");
  }
  return shared.trunklineRunJob(name, stop);
}
