// Mutation testing: `npm run mutate -- GROUP`, which says what is mutated and which tests must notice (scripts/mutate.mjs).
export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutate/vitest.config.mjs", related: false },
  mutate: (process.env.MUTATED_FILES ?? "").split(","),
  coverageAnalysis: "perTest",
  concurrency: 1,
  // A mutant that runs on is killed after this and half as long again as its tests took.
  timeoutMS: 20_000,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  jsonReporter: { fileName: "mutation-results/report.json" },
  tempDirName: ".stryker-tmp",
  ignorePatterns: [".next", ".data", "dist", "mutation-results", "test-results"],
  checkers: [],
  allowEmpty: false,
};
