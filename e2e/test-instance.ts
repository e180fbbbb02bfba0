import { readFileSync } from "node:fs";
import path from "node:path";

export const PORT = 3210;
/** The process that stands in for Stripe. */
export const FAKE_STRIPE_URL = `http://127.0.0.1:${PORT + 1}`;
export const TEST_DATA_DIR = path.resolve("test-results", "instance");

/** What the instance under test was made with (first-run.json). */
export interface FirstRun {
  base_url: string;
  token: string;
  line: string;
  rcs_line: string;
  phone: string;
  admin: { email: string; password: string };
}

export function firstRun(): FirstRun {
  return JSON.parse(readFileSync(path.join(TEST_DATA_DIR, "first-run.json"), "utf8"));
}
