import { spawnSync } from "node:child_process";
import type { Browser, Page } from "@playwright/test";
import { firstRun, workerInstance } from "./test-instance";
import { loadUntilHydrated } from "./until-hydrated";

export const PASSWORD = "correct horse battery staple";

/** Runs `npm run admin -- …` on the instance under test and returns what it printed. */
export function admin(...args: string[]): string {
  const { stdout } = spawnSync(process.execPath, ["scripts/admin.mjs", ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
      DATA_DIR: workerInstance().dataDir,
      DATABASE_URL: "",
      BASE_URL: firstRun().base_url,
    },
  });
  return stdout;
}

/** The id of the demo's partner. */
export function demoPartner(): string {
  return /([0-9a-f-]{36})\s+Demo/.exec(admin("list"))?.[1] ?? "";
}

/** Invites a user to the demo's partner. Returns the email address and the one-time link that sets the password. */
export function invite(role: "viewer" | "support"): { email: string; link: string } {
  const email = `${role}.${Date.now()}@example.com`;
  const partner = demoPartner();
  const user = ["--partner", partner, "--email", email, "--name", `A ${role}`, "--role", role];
  const link = /https?:\/\/\S+\/welcome\/\S+/.exec(admin("create-user", ...user))?.[0] ?? "";
  return { email, link };
}

/** Opens a page as an invited user who has set a password and signed in. Close its context afterwards. */
export async function signInInvited(browser: Browser, role: "viewer" | "support"): Promise<Page> {
  const { link } = invite(role);
  const page = await (await browser.newContext({ storageState: undefined })).newPage();
  loadUntilHydrated(page);
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  return page;
}
