import { expectAccessible } from "./accessible";
import { newPhone, write } from "./partner-program";
import { expect, test } from "./signed-in";

test("a record that is not found keeps the header and the navigation", async ({ page }) => {
  await page.goto("/lines/00000000-0000-7000-8000-000000000000");

  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("a URL without a page is 404: with header and navigation for those who are signed in, alone for others", async ({
  page,
  browser,
}) => {
  for (const path of ["/no-such-page", "/webhooks/no/such/page"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page).toHaveTitle(/^Not found/);
  }
  await expectAccessible(page);

  const stranger = await (await browser.newContext({ storageState: undefined })).newPage();
  for (const path of ["/no-such-page", "/checkouts/none"]) {
    const response = await stranger.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(stranger).toHaveURL(new RegExp(`${path}$`));
    await expect(stranger.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(stranger.getByRole("navigation")).toHaveCount(0);
  }
  await stranger.context().close();
});

test("a phone's header names the environment", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/chats");

  await expect(page.getByRole("banner").getByText("Sandbox", { exact: true })).toBeVisible();
});

test("before its script runs, a chat has its labels, and its composer in place", async ({
  browser,
  freshSession,
}) => {
  const { handle, chatId } = await newPhone({}, "message 0");
  for (let index = 1; index <= 30; index++) await write(handle, chatId, `message ${index}`);
  const storageState = await freshSession();
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  const held = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await held.promise;
    await route.abort();
  });
  await page.goto(`/chats/${chatId}`, { waitUntil: "commit" });

  await expect(page.getByLabel("Message", { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel("Assigned to")).toHaveText("Not assigned");
  await expect(page.getByLabel("Line", { exact: true })).toHaveText("All lines");
  expect(await page.evaluate(() => document.documentElement.dataset.hydrated)).toBeUndefined();
  held.resolve();
  await context.close();
});

test("on a phone, the current tab of the settings is in view", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/settings", "/settings/audit-log", "/settings/sessions"]) {
    await page.goto(path);
    await expect(page.locator("nav [aria-current=page]:visible").last()).toBeInViewport({ ratio: 1 });
  }
});

test("filters of agent payments say what to enter instead of showing a number", async ({ page }) => {
  for (const path of ["/agent-payments", "/agent-payments/customers", "/opt-outs"]) {
    await page.goto(path);
    await expect(page.getByPlaceholder("Number or email")).toBeVisible();
  }
});
