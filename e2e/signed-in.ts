import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { firstRun } from "./test-instance";
import { loadUntilHydrated } from "./until-hydrated";

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Fills the sign-in form as a person would and waits for the page behind it. */
export async function signIn(page: Page): Promise<void> {
  const { admin } = firstRun();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** Turns undo off in the page's browser, so that messages leave at once. undo-send.spec.ts turns it on. */
export async function sendAtOnce(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("trunkline:undo-send", "off"));
}

/**
 * A sign-in counts as a proof of identity for ten minutes. A test that begins within five is never asked for another.
 */
export const FRESH_MS = 5 * 60_000;

/** Tests whose page is signed in as the demo's admin. Sign-ins are reused for five minutes. */
export const test = base.extend<
  { storageState: StorageState },
  { freshSession: () => Promise<StorageState> }
>({
  freshSession: [
    async ({ browser }, use, { project }) => {
      let session: StorageState | undefined;
      let signedInMs = 0;
      await use(async () => {
        if (session !== undefined && Date.now() - signedInMs < FRESH_MS) return session;
        const page = await browser.newPage({ baseURL: project.use.baseURL });
        await signIn(page);
        await sendAtOnce(page);
        session = await page.context().storageState();
        signedInMs = Date.now();
        await page.close();
        return session;
      });
    },
    { scope: "worker" },
  ],
  storageState: async ({ freshSession }, use) => use(await freshSession()),
  page: async ({ page }, use) => {
    loadUntilHydrated(page);
    await use(page);
  },
});

export { expect } from "@playwright/test";
