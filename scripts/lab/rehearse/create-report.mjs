/** Prints the steps of a rehearsal with the seconds that each took, and the seconds since the first began. */
export function createReport(name, out = process.stdout) {
  const startedMs = performance.now();
  const seconds = (fromMs) => `${((performance.now() - fromMs) / 1000).toFixed(1)} s`;
  out.write(`\n${name}\n`);
  return {
    /** Runs a step and prints its time. Returns its result. */
    async step(title, work) {
      const fromMs = performance.now();
      const result = await work();
      out.write(`  ${title}: ${seconds(fromMs)}, ${seconds(startedMs)} in all\n`);
      return result;
    },
    fail(error) {
      out.write(`  FAILED after ${seconds(startedMs)}: ${error.message}\n`);
    },
  };
}
