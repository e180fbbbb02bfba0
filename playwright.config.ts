import { defineConfig } from "@playwright/test";
import { FAKE_STRIPE_URL, PORT, TEST_DATA_DIR } from "./e2e/test-instance";
import { fakeStripeEnv } from "./lib/testing/fake-stripe-env";
import { findBrowser } from "./scripts/find-browser.mjs";
import { WITHOUT_LIMITS } from "./scripts/instance/without-limits.mjs";

export default defineConfig({
  testDir: "e2e",
  // Playwright empties it at each start: the instance under test lives beside it.
  outputDir: "test-results/browser",
  timeout: 45_000,
  expect: { timeout: 10_000 },
  // One server, one database: the files share it, each with its own chats and tokens.
  workers: 1,
  // A second try tells a machine that is busy from a promise that is broken; what needed one is listed as flaky.
  retries: 1,
  reporter: [
    ["list"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? "test-results/playwright.json" }],
  ],
  use: {
    baseURL: `http://localhost:${PORT}`,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: findBrowser(),
  },
  webServer: [
    {
      command: "node scripts/fake-stripe.mjs",
      url: `${FAKE_STRIPE_URL}/health`,
      timeout: 60_000,
      stdout: "ignore",
      stderr: "pipe",
      env: { PORT: new URL(FAKE_STRIPE_URL).port, INSTANCE_URL: `http://localhost:${PORT}` },
    },
    {
      command: "node scripts/start.mjs",
      url: `http://localhost:${PORT}/ready`,
      timeout: 240_000,
      gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
      stdout: "ignore",
      stderr: "pipe",
      env: {
        PORT: String(PORT),
        DATA_DIR: TEST_DATA_DIR,
        DATABASE_URL: "",
        LOG_LEVEL: "warn",
        ...WITHOUT_LIMITS,
        ...fakeStripeEnv(FAKE_STRIPE_URL),
      },
    },
  ],
});
