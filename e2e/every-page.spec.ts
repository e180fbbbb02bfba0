import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { startServer } from "../scripts/instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../scripts/instance/without-limits.mjs";
import { fillChats, fillDemo, openDemo } from "../scripts/screenshot/fill-demo.mjs";
import { listRoutes, urlOf } from "../scripts/screenshot/list-pages.mjs";
import { readFirstRun, signIn } from "../scripts/screenshot/sign-in.mjs";
import { expectAccessible } from "./accessible";
import { OF_SCALAR } from "./rules-of-scalar";
import type { StorageState } from "./signed-in";

/** An instance that is filled with one of everything. The pages share it. */
interface Filled {
  baseUrl: string;
  session: StorageState;
  params: Record<string, string | undefined>;
  pages: { name: string; url: string }[];
}

const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ browser }, use) => {
      const dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-every-page-"));
      const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: "", ...WITHOUT_LIMITS });
      try {
        const firstRun = readFirstRun(dataDir);
        const session: StorageState = await signIn(browser, server.baseUrl, firstRun);
        const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
        const demo = openDemo({ baseUrl: server.baseUrl, firstRun, cookie });
        await use({ baseUrl: server.baseUrl, session, ...(await fillDemo(demo, await fillChats(demo))) });
      } finally {
        await server.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** Expects that axe finds nothing in both themes, on a desktop and a phone, and that nothing is wider than 320 pixels. */
async function expectUsable(page: Page, url: string, without: readonly string[] = []): Promise<void> {
  const response = await page.goto(url);
  expect(response?.status(), url).toBe(200);
  // The API explorer loads its own program first, which takes a busy machine most of a minute.
  await expect(page.getByRole("main")).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[data-slot="skeleton"]')).toHaveCount(0);
  await expectAccessible(page, { without });
  await page.setViewportSize({ width: 320, height: 640 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess, `${url} at 320 px scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const route of listRoutes()) {
  test(`axe finds nothing on ${route.name}, in both themes, wide and narrow`, async ({ browser, filled }) => {
    const context = await browser.newContext({
      baseURL: filled.baseUrl,
      ...(!route.isSignedOut && { storageState: filled.session }),
    });
    const without = route.name === "docs-explorer" ? OF_SCALAR : [];
    await expectUsable(await context.newPage(), urlOf(route, filled), without);
    await context.close();
  });
}

test("axe finds nothing on the checkout and the wallet, in both themes, wide and narrow", async ({
  browser,
  filled,
}) => {
  const context = await browser.newContext({ baseURL: filled.baseUrl });
  const page = await context.newPage();
  for (const { url } of filled.pages) await expectUsable(page, url);
  await context.close();
});
