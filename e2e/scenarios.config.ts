import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^@\//, replacement: root },
      { find: "trunkline/testing", replacement: `${root}lib/testkit/testing.ts` },
    ],
  },
  test: {
    include: ["e2e/run-scenarios.test.ts", "e2e/same-seed.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
