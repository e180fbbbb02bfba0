import { defineConfig } from "vitest/config";
import config from "../../vitest.config.ts";

const tests = (process.env.MUTATION_TESTS ?? "").split(",");
const { globalSetup, ...test } = config.test ?? {};

/** Only the tests of the group, with a database only where they need one: they run once for each mutant. */
export default defineConfig({
  ...config,
  test: {
    ...test,
    include: tests,
    ...(process.env.MUTATION_DATABASE === "1" && globalSetup !== undefined ? { globalSetup } : {}),
  },
});
