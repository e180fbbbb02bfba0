import { defineConfig } from "vitest/config";
import config from "../../../vitest.config.ts";

const tests = (process.env.MUTATION_TESTS ?? "").split(",");
const { globalSetup, ...test } = config.test ?? {};

/** Runs only the tests of the group, because they run once per mutant. Starts a database only if they need one. */
export default defineConfig({
  ...config,
  test: {
    ...test,
    // A test waits in vain for the work that a mutant breaks. Other work is done sooner on an otherwise idle machine.
    env: { ...test.env, UNTIL_LIMIT_MS: "10000" },
    include: tests,
    ...(process.env.MUTATION_DATABASE === "1" && globalSetup !== undefined ? { globalSetup } : {}),
  },
});
