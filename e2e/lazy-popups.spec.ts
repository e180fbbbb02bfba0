import type { Page } from "@playwright/test";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

const SCRIPTS = "**/_next/static/chunks/**";

/** Holds the scripts that the page asks for from now on. Resolves `asked` at the first one. */
async function holdScripts(page: Page) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: () => released.resolve() };
}

/** Holds the scripts that a page asks for once it reacts to keys. */
async function holdLateScripts(page: Page) {
  const released = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    const isLate = await page.evaluate(() => document.querySelector("html[data-hydrated=true]") !== null);
    if (isLate) await released.promise;
    await route.continue();
  });
  return { release: () => released.resolve() };
}

/** Makes timers as late as those of a busy machine: by several frames. */
async function delayTimers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const start = window.setTimeout.bind(window);
    window.setTimeout = ((run: () => void, ms = 0) => start(run, ms + 100)) as typeof window.setTimeout;
  });
}

/** Opens the page and waits until it has loaded what it loads when the browser is idle. */
async function openIdle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("region", { name: /^Notifications/ })).toBeAttached();
  await page.waitForFunction(
    () =>
      new Promise((resolve) => {
        requestIdleCallback(() => resolve(true));
      }),
  );
}

test("keys that are pressed while a menu is loading reach the menu", async ({ page }) => {
  await openIdle(page, "/");
  const scripts = await holdScripts(page);
  await page.getByRole("button", { name: "Theme" }).focus();
  await page.keyboard.press("Enter");
  await scripts.asked;
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toHaveCount(0);

  scripts.release();

  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Theme" })).toBeFocused();
});

test("keys that are pressed while the list of a select is loading choose from the list", async ({ page }) => {
  await openIdle(page, "/");
  const scripts = await holdScripts(page);
  const range = page.getByRole("combobox", { name: "Range" });
  await range.focus();
  await page.keyboard.press("ArrowDown");
  await scripts.asked;
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await delayTimers(page);

  scripts.release();

  await expect(page).toHaveURL(/\?range=30d$/);
  await expect(range).toHaveText("Last 30 days");
});

for (const path of ["/", "/docs"]) {
  test(`letters that are typed on ${path} before its search is loaded reach the field, in order`, async ({
    page,
  }) => {
    const scripts = await holdLateScripts(page);
    const field = page.getByRole("dialog").getByRole("combobox");
    await page.goto(path);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("wexc");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("b");
    await expect(field).toHaveCount(0);

    scripts.release();

    await page.keyboard.type("hook");
    await expect(field).toHaveValue("wexbhook");
  });
}

test("a click that comes before a dialog is loaded opens the dialog, which takes the focus and returns it", async ({
  page,
}) => {
  await openIdle(page, "/tokens");
  const scripts = await holdScripts(page);
  await page.getByRole("button", { name: "Generate token" }).click();
  await scripts.asked;
  await expect(page.getByRole("dialog")).toHaveCount(0);

  scripts.release();

  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Generate token" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a popup that could not be loaded opens with the next click", async ({ page }) => {
  await openIdle(page, "/");
  await page.route(SCRIPTS, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await page.getByRole("button", { name: "Theme" }).click();
  await failed;
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.unroute(SCRIPTS);

  await page.getByRole("button", { name: "Theme" }).click();

  await expect(page.getByRole("menuitemradio", { name: "Dark" })).toBeVisible();
});

test("files that are chosen before the upload is loaded are added to the message", async ({ page }) => {
  const { chatId } = await newPhone();
  await openIdle(page, `/chats/${chatId}`);
  await expect(page.getByLabel("Files to send")).toHaveAttribute("accept", /\.png/);
  const scripts = await holdScripts(page);
  await page
    .getByLabel("Files to send")
    .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("a note") });
  await scripts.asked;

  scripts.release();

  await expect(page.getByRole("button", { name: "Remove note.txt" })).toBeVisible();
});

test("a tooltip appears on hover and on focus, can be pointed at, and stays inside the window", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  await send(chatId, "for the tooltip");
  await page.goto(`/chats/${chatId}`);
  const time = page.getByRole("log", { name: "Messages" }).locator("time").last();
  const tooltip = page.getByRole("tooltip");
  await time.hover();
  await expect(tooltip).toContainText("UTC");
  await expect(time).toHaveAttribute("aria-describedby", (await tooltip.getAttribute("id")) ?? "none");
  await tooltip.hover();
  await expect(tooltip).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tooltip).toHaveCount(0);
  await expect(time).not.toHaveAttribute("aria-describedby");

  await page.mouse.move(0, 0);
  await page.getByRole("log", { name: "Messages" }).focus();
  await page.keyboard.press("Tab");
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await time.focus();
  await expect(tooltip).toBeVisible();
  const box = await tooltip.boundingBox();
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  await time.blur();
  await expect(tooltip).toHaveCount(0);
});

test("a part of a page that is loaded later leaves the rest in place: the text and the focus of a message stay", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  await openIdle(page, `/chats/${chatId}`);
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("half a sentence");
  const scripts = await holdScripts(page);

  const link = { type: "link", value: "https://example.com/menu" };
  await sendRequest(`POST /v3/chats/${chatId}/messages`, { message: { parts: [link] } });
  await scripts.asked;
  await send(chatId, "after the link");
  await expect(page.getByRole("log").getByText("after the link", { exact: true })).toBeVisible();
  await expect(field).toBeFocused();
  await page.keyboard.type(", and more");

  scripts.release();

  await expect(page.getByText("example.com", { exact: true })).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("half a sentence, and more");
});
