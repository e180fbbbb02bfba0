import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./lib/testing/start-slow-files-first.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@\//, replacement: root },
      { find: /^server-only$/, replacement: `${root}lib/testing/server-only.ts` },
    ],
  },
  test: {
    include: ["lib/**/*.test.ts", "app/**/*.test.ts", "components/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: "lib/testing/template-database.ts",
    setupFiles: "lib/testing/each-test-file.ts",
    // Loading the service takes longer than the tests of most files, so each worker loads it only once.
    isolate: false,
    env: {
      // Tests send more requests than a program would, and some count statements.
      REQUESTS_PER_MINUTE: "0",
      NODE_ENV: "test",
      // Vite sets its own BASE_URL.
      BASE_URL: "http://trunkline.test",
      // Tests with a database import lib/testing/use-test-database, which sets the real one.
      DATABASE_URL: "postgresql://unused@127.0.0.1:1/none",
      // A busy machine is not an outage. Tests of outages set their own limits.
      DATABASE_TIMEOUT_SECONDS: "20",
      // Nor does it make a charge late.
      CHARGE_TIMEOUT_SECONDS: "20",
      LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
      // Any 32 bytes. Tests that need the key of another instance create one.
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOK_ALLOW_PRIVATE: "localhost,127.0.0.1",
    },
    sequence: { sequencer: SlowFilesFirst },
    pool: "forks",
    // Test files mostly wait for PostgreSQL, so it helps to run more workers than there are processors.
    maxWorkers: Math.max(3, availableParallelism()),
    // A busy machine can take this long. It is below the time limit of a test, so that a failure names the condition.
    expect: { poll: { timeout: 45_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
