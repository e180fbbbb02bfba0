import { test as base, expect, type Page } from "@playwright/test";
import { openInstance } from "../scripts/instance/open-instance.mjs";
import { fillChats, fillDemo, openDemo } from "../scripts/screenshot/fill-demo.mjs";
import { listRoutes, urlOf } from "../scripts/screenshot/list-pages.mjs";
import { signIn } from "../scripts/screenshot/sign-in.mjs";
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

/** Whether the page is signed in. One page is reused for all pages of the dashboard. */
const test = base.extend<{ isSignedIn: boolean }, { filled: Filled }>({
  isSignedIn: [true, { option: true }],
  baseURL: async ({ filled }, use) => use(filled.baseUrl),
  storageState: async ({ filled, isSignedIn }, use) => use(isSignedIn ? filled.session : undefined),
  filled: [
    async ({ browser }, use) => {
      const server = await openInstance();
      try {
        const { firstRun } = server;
        const session: StorageState = await signIn(browser, server.baseUrl, firstRun);
        const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
        const demo = openDemo({ baseUrl: server.baseUrl, firstRun, cookie });
        await use({ baseUrl: server.baseUrl, session, ...(await fillDemo(demo, await fillChats(demo))) });
      } finally {
        await server.close();
      }
    },
    { scope: "worker", timeout: 300_000 },
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

const ROUTES = Map.groupBy(listRoutes(), ({ isSignedOut }) => !isSignedOut);

for (const [isSignedIn, routes] of ROUTES) {
  test.describe(isSignedIn ? "signed in" : "signed out", () => {
    test.use({ isSignedIn });
    for (const route of routes) {
      test(`axe finds nothing on ${route.name}, in both themes, wide and narrow`, async ({
        page,
        filled,
      }) => {
        const without = route.name === "docs-explorer" ? OF_SCALAR : [];
        await expectUsable(page, urlOf(route, filled), without);
        // Without a valid session, every page would be the sign-in page.
        if (isSignedIn) expect(new URL(page.url()).pathname).not.toBe("/sign-in");
      });
    }
  });
}

test.describe("pages of payers", () => {
  test.use({ isSignedIn: false });

  test("axe finds nothing on the checkout and the wallet, in both themes, wide and narrow", async ({
    page,
    filled,
  }) => {
    for (const { url } of filled.pages) await expectUsable(page, url);
  });
});
