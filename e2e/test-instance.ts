import { readFileSync } from "node:fs";
import path from "node:path";

/** Workers at once. Each has its own instance, with its own database, account, lines and Stripe stand-in. */
export const WORKERS = Number(process.env.BROWSER_WORKERS ?? 2);

/** Each worker uses ten ports from here on. */
const FIRST_PORT = Number(process.env.BROWSER_PORT ?? 3210);

/** The port and the files of one worker's instance. */
export interface TestInstance {
  port: number;
  baseUrl: string;
  dataDir: string;
  /** The process that stands in for Stripe. */
  fakeStripeUrl: string;
}

/** The instance of a worker, by its place among the workers that run at once (Playwright's parallelIndex). */
export function testInstance(place: number): TestInstance {
  const port = FIRST_PORT + 10 * place;
  return {
    port,
    baseUrl: `http://localhost:${port}`,
    dataDir: path.resolve("test-results", `instance-${place}`),
    fakeStripeUrl: `http://127.0.0.1:${port + 1}`,
  };
}

/** The instance that the tests of this worker use. */
export function workerInstance(): TestInstance {
  return testInstance(Number(process.env.TEST_PARALLEL_INDEX ?? 0));
}

/** The demo data of the instance under test (first-run.json). */
export interface FirstRun {
  base_url: string;
  token: string;
  line: string;
  rcs_line: string;
  phone: string;
  admin: { email: string; password: string };
}

export function firstRun(): FirstRun {
  return JSON.parse(readFileSync(path.join(workerInstance().dataDir, "first-run.json"), "utf8"));
}
