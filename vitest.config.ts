import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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
    // Loading the service takes longer than most files' tests: a worker loads it once.
    isolate: false,
    env: {
      // Tests ask more often than a program would, and count statements.
      REQUESTS_PER_MINUTE: "0",
      NODE_ENV: "test",
      // Vite sets one of its own.
      BASE_URL: "http://trunkline.test",
      // Tests with a database import lib/testing/use-test-database, which sets the real one.
      DATABASE_URL: "postgresql://unused@127.0.0.1:1/none",
      // A busy machine is no outage; tests of outages set bounds of their own.
      DATABASE_TIMEOUT_SECONDS: "20",
      LOG_LEVEL: "error",
      // Any 32 bytes; tests that need another instance's key make one.
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOK_ALLOW_PRIVATE: "localhost,127.0.0.1",
    },
    pool: "forks",
    // A file mostly waits for PostgreSQL, so more workers than processors are busy at once.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
