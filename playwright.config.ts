import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { type TestInstance, testInstance, WORKERS, workerInstance } from "./e2e/test-instance";
import { fakeStripeEnv } from "./lib/testing/stripe/fake-stripe-env";
import { findBrowser } from "./scripts/find-browser.mjs";
import { WITHOUT_LIMITS } from "./scripts/instance/without-limits.mjs";

/** Tests that start and kill processes under load. They run one at a time, beside tests with a browser. */
const WITH_PROCESSES = /(kill.*|lifecycle|processes|upgrade)\.spec\.ts$/;
/** Those that take minutes. `npm run test:long` runs them too. */
const LONG = /(kill-database|kill-worker|lifecycle|processes)\.spec\.ts$/;

const IS_LONG = process.env.LONG_TESTS === "1";

type TestConfigWebServer = Exclude<PlaywrightTestConfig["webServer"], readonly unknown[] | undefined>;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Fakes of vendors read the platform's clock, a module of the server.
  tsconfig: "e2e/tsconfig.json",
  // Playwright empties it at each start: the instances under test live beside it.
  outputDir: "test-results/browser",
  // Two browsers and two instances share the processors: a page that axe reads may take a minute.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: WORKERS,
  projects: [
    {
      name: "processes",
      testMatch: WITH_PROCESSES,
      workers: 1,
      testIgnore: IS_LONG ? [] : LONG,
      // The upgrade starts eight processes beside browsers: it takes 30 s alone, and 85 s beside six busy programs. The work
      // of a killed process is claimed again only after its lease.
      timeout: 300_000,
    },
    { name: "browser", testIgnore: WITH_PROCESSES },
  ],
  // A test that passes only on the second attempt is a defect.
  retries: 0,
  reporter: [
    ["list"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? "test-results/playwright.json" }],
  ],
  use: {
    baseURL: workerInstance().baseUrl,
    // Recording a trace makes every page slower: `npx playwright test --trace on` records the one to be understood.
    trace: "off",
    screenshot: "only-on-failure",
    // A page in a new context compiles every script again, which takes half of its processor time. Cookies, storage,
    // routes and the window's size are reset between tests.
    reuseContext: true,
    // Animations make dialogs slow to open. Tests of animations turn them on.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: launchOptions(),
  },
  webServer: Array.from({ length: WORKERS }, (_, place) => serversOf(testInstance(place))).flat(),
});

/** One process renders the pages of all tests of a worker, so it keeps the scripts that it compiled. */
function launchOptions(): { executablePath?: string; args: string[] } {
  const { args, ...browser } = findBrowser();
  return { ...browser, args: [...args, "--process-per-site"] };
}

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
      command: "node e2e/start-instance.mjs",
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
