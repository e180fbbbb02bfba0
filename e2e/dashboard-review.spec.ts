import { expectAccessible } from "./accessible";
import { newPhone, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

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
    await expect(page).toHaveTitle(/^(\(\d+\+?\) )?Not found/);
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

test("a phone's header names the environment and the whole account", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  const button = page.getByRole("banner").getByRole("button", { name: /^Switch account/ });
  await expect(button.getByText("Sandbox", { exact: true })).toBeInViewport({ ratio: 1 });
  const isCut = await button.evaluate((element) =>
    [...element.querySelectorAll("span:not(.sr-only)")].some(
      (each) => each.scrollWidth > each.clientWidth + 1,
    ),
  );
  expect(isCut).toBe(false);
});

test("before its script runs, a chat has its labels, its composer in place and its newest message in view", async ({
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
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByText("message 30", { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(log.getByText("message 0", { exact: true })).not.toBeInViewport();
  await expect(page.getByLabel("Assigned to")).toHaveText("Not assigned");
  await expect(page.getByRole("button", { name: "Needs reply" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.hydrated)).toBeUndefined();
  held.resolve();
  await context.close();
});

test("long types of events are shown whole at each width", async ({ page }) => {
  const { body } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: "https://example.com/long-types",
    subscribed_events: ["message.sent"],
  });
  await page.goto("/events?types=webhook_subscription.created");
  const type = page.getByRole("list", { name: "Events" }).getByText("webhook_subscription.created").first();
  for (const width of [360, 700, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(type).toBeVisible();
    const box = await type.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(box[0], `${width} px`).toBeLessThanOrEqual(box[1] ?? 0);
  }
  await sendRequest(`DELETE /v3/webhook-subscriptions/${body.id}`);
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

test("a clicked link is marked until its page is there", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/[?&]_rsc=/, async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.goto("/tokens");
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Lines" });
  await link.click();
  await expect(link.locator("[data-pending]")).toBeVisible();
  held.resolve();
  await expect(page.getByRole("heading", { name: "Lines", level: 1 })).toBeVisible();
  await expect(page.locator("[data-pending]")).toHaveCount(0);
});

test("a printed chat has all its loaded messages, and neither the list nor the composer", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone({}, "message 0");
  for (let index = 1; index <= 20; index++) await write(handle, firstRun().line, `message ${index}`);
  await page.goto(`/chats/${chatId}`);
  const thread = page.getByRole("log", { name: "Messages" });
  await expect(thread.getByText("message 20", { exact: true })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  expect(await thread.evaluate((log) => log.scrollHeight - log.clientHeight)).toBe(0);
  await expect(thread.getByText("message 0", { exact: true })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Chats" })).toBeHidden();
  await expect(page.getByLabel("Message", { exact: true })).toBeHidden();
});
