import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { BROWSER_WORKERS, ownInstance, type TestInstance, testInstance } from "./e2e/test-instance";
import { fakeStripeEnv } from "./lib/testing/fake-stripe-env";
import { findBrowser } from "./scripts/find-browser.mjs";
import { WITHOUT_LIMITS } from "./scripts/instance/without-limits.mjs";

type TestConfigWebServer = Exclude<PlaywrightTestConfig["webServer"], readonly unknown[] | undefined>;

export default defineConfig({
  testDir: "e2e",
  // Playwright empties it at each start: the instances under test live beside it.
  outputDir: "test-results/browser",
  // Two browsers and two instances share the processors: a page that axe reads may take a minute.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Each worker has an instance of its own, so files run side by side without sharing an account.
  workers: BROWSER_WORKERS,
  // A second attempt tells a busy machine from a broken promise; tests that needed one are counted and listed as flaky.
  retries: 1,
  reporter: [
    ["list"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? "test-results/playwright.json" }],
  ],
  use: {
    baseURL: ownInstance().baseUrl,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: findBrowser(),
  },
  webServer: Array.from({ length: BROWSER_WORKERS }, (_, place) => serversOf(testInstance(place))).flat(),
});

function serversOf({ port, baseUrl, dataDir, fakeStripeUrl }: TestInstance): TestConfigWebServer[] {
  return [
    {
      command: "node scripts/fake-stripe.mjs",
      url: `${fakeStripeUrl}/health`,
      timeout: 60_000,
      stdout: "ignore",
      stderr: "pipe",
      env: { PORT: new URL(fakeStripeUrl).port, INSTANCE_URL: baseUrl },
    },
    {
      command: "node scripts/start.mjs",
      url: `${baseUrl}/ready`,
      timeout: 240_000,
      gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
      stdout: "ignore",
      stderr: "pipe",
      env: {
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: "",
        LOG_LEVEL: "warn",
        ...WITHOUT_LIMITS,
        ...fakeStripeEnv(fakeStripeUrl),
      },
    },
  ];
}
