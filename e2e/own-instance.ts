import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { sendRequest } from "../scripts/instance/call-instance.mjs";
import { findFreePort } from "../scripts/instance/find-free-port.mjs";
import { readFirstRun } from "../scripts/instance/open-instance.mjs";
import { startProcess } from "../scripts/instance/start-process.mjs";
import type { FirstRun } from "./test-instance";
import { loadUntilHydrated } from "./until-hydrated";

/** An instance for one test file, because the clock of the other tests must not move. */
export interface OwnInstance {
  demo: FirstRun;
  /** Sends a request with the demo's token, for example `POST /simulator/clock`. */
  // biome-ignore lint/suspicious/noExplicitAny: the response of any operation.
  call(what: `${string} ${string}`, body?: object): Promise<{ status: number; body: any }>;
  /** Signs the demo's admin in and waits for Home. */
  signIn(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an instance on a free port, with new demo data and a clock that tests control. `settings` returns more environment
 * variables for its URL.
 */
export async function startOwnInstance(
  settings: (baseUrl: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<OwnInstance> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-e2e-"));
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  const server = await startProcess({
    args: ["scripts/start.mjs"],
    env: {
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      LOG_LEVEL: "warn",
      CLOCK_CONTROL: "1",
      WEBHOOK_ALLOW_PRIVATE: "localhost,127.0.0.1",
      ...(await settings(baseUrl)),
    },
    readyUrl: `${baseUrl}/ready`,
  });
  const demo: FirstRun = readFirstRun(dataDir);
  return {
    demo,
    call: (what, body) => sendRequest({ baseUrl, token: demo.token }, what, body),
    async signIn(page) {
      loadUntilHydrated(page);
      await page.goto(`${baseUrl}/sign-in`);
      await page.getByLabel("Email").fill(demo.admin.email);
      await page.getByLabel("Password", { exact: true }).fill(demo.admin.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    },
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
