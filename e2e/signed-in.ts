import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { firstRun } from "./test-instance";

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Fills the sign-in form as a person would and waits for the page behind it. */
export async function signIn(page: Page): Promise<void> {
  const { admin } = firstRun();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/** Tests whose page is the demo's admin's. One sign-in serves all of a file. */
export const test = base.extend<{ storageState: StorageState }, { session: StorageState }>({
  session: [
    async ({ browser }, use, { project }) => {
      const page = await browser.newPage({ baseURL: project.use.baseURL });
      await signIn(page);
      const session = await page.context().storageState();
      await page.close();
      await use(session);
    },
    { scope: "worker" },
  ],
  storageState: async ({ session }, use) => use(session),
});

export { expect } from "@playwright/test";
