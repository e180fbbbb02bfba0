import { availableParallelism } from "node:os";

// Mutation testing: `npm run mutate -- GROUP`. scripts/lab/mutate.mjs lists the mutated files and the tests that must
// detect the changes.
export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/lab/mutate/vitest.config.mjs", related: false },
  mutate: (process.env.MUTATED_FILES ?? "").split(","),
  coverageAnalysis: "perTest",
  concurrency: availableParallelism(),
  // A mutant is killed after this time plus 1.5 times the normal duration of its tests.
  timeoutMS: 20_000,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: `mutation-results/${process.env.MUTATION_GROUP ?? "report"}.json` },
  tempDirName: ".stryker-tmp",
  ignorePatterns: [".next", ".data", "dist", "mutation-results", "test-results"],
  checkers: [],
  allowEmpty: false,
};
