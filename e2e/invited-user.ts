import { spawnSync } from "node:child_process";
import type { Browser, Page } from "@playwright/test";
import { FRESH_MS, type StorageState, sendAtOnce } from "./signed-in";
import { firstRun, workerInstance } from "./test-instance";
import { loadUntilHydrated } from "./until-hydrated";

export const PASSWORD = "correct horse battery staple";

/** Runs `npm run admin -- …` on the instance under test and returns what it printed. */
export function admin(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["scripts/admin.mjs", ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
      DATA_DIR: workerInstance().dataDir,
      DATABASE_URL: "",
      BASE_URL: firstRun().base_url,
    },
  });
  if (status !== 0) throw new Error(`npm run admin -- ${args.join(" ")} ended with ${status}:\n${stderr}`);
  return stdout;
}

let partner: string | undefined;

/** The id of the demo's partner. */
function demoPartner(): string {
  partner ??= /([0-9a-f-]{36})\s+Demo/.exec(admin("list"))?.[1];
  if (partner === undefined) throw new Error("the instance has no partner Demo");
  return partner;
}

let invited = 0;

/** Invites a user to the demo's partner. Returns the email address and the one-time link that sets the password. */
export function invite(role: "viewer" | "support", name = `A ${role}`): { email: string; link: string } {
  const email = `${role}.${Date.now()}.${++invited}@example.com`;
  const partner = demoPartner();
  const user = ["--partner", partner, "--email", email, "--name", name, "--role", role];
  const link = /https?:\/\/\S+\/welcome\/\S+/.exec(admin("create-user", ...user))?.[0] ?? "";
  return { email, link };
}

/** The session of each role's user, in this worker. */
const sessions = new Map<string, { state: StorageState; signedInMs: number }>();

/**
 * A page without a URL for a user of this role, who has set a password and signed in. The tests of a worker share the
 * user. Close the page's context afterwards.
 */
export async function signInInvited(browser: Browser, role: "viewer" | "support"): Promise<Page> {
  const known = sessions.get(role);
  const session = known !== undefined && Date.now() - known.signedInMs < FRESH_MS ? known.state : undefined;
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  loadUntilHydrated(page);
  if (session !== undefined) return page;
  const { link } = invite(role);
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  // Support starts in the inbox.
  await page.waitForURL((url) => url.pathname === (role === "support" ? "/chats" : "/"));
  await sendAtOnce(page);
  sessions.set(role, { state: await context.storageState(), signedInMs: Date.now() });
  return page;
}
