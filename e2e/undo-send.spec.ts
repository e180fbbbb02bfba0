import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { newPhone, sendRequest, write } from "./partner-program";
import { test as base, expect, type StorageState } from "./signed-in";
import { loadUntilHydrated } from "./until-hydrated";

/** A page with a context of its own, because its clock stands still. */
const test = base.extend({
  page: async ({ browser, baseURL, freshSession }, use) => {
    const page = await newPage(browser, baseURL ?? "", await freshSession());
    await use(page);
    await page.context().close();
  },
});

async function newPage(browser: Browser, baseURL: string, storageState: StorageState): Promise<Page> {
  const context = await browser.newContext({ baseURL, storageState, reducedMotion: "reduce" });
  const page = await context.newPage();
  loadUntilHydrated(page);
  return page;
}

const field = (page: Page) => page.getByLabel("Message", { exact: true });
const held = (page: Page) => page.getByRole("article", { name: "Unsent message" });

/** The texts that a phone got, in their order. */
async function textsOn(handle: string): Promise<string[]> {
  const { body } = await sendRequest("GET /simulator/phones");
  const phone = body.phones.find((each: { handle: string }) => each.handle === handle);
  const received = phone.messages.filter((each: { from: string }) => each.from !== handle);
  return received.map((each: { parts: { value: string }[] }) => each.parts.at(-1)?.value).reverse();
}

/** Opens a new chat in a browser whose user can take messages back and whose clock stands still. */
async function openHeld(page: Page) {
  const { handle, chatId } = await newPhone({}, "Are you there?");
  await page.goto("/settings/preferences");
  await page.getByRole("combobox", { name: "Undo send" }).click();
  await page.getByRole("option", { name: "For 5 seconds" }).click();
  await page.clock.install();
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(field(page)).toBeEnabled();
  await page.clock.pauseAt(Date.now() + 60_000);
  return { handle, chatId };
}

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue("");
}

test("a message is taken back with its file by Ctrl+Z, and leaves after five seconds when it is not", async ({
  page,
}) => {
  const { handle } = await openHeld(page);
  await page
    .getByLabel("Files to send")
    .setInputFiles({ name: "map.txt", mimeType: "text/plain", buffer: Buffer.from("a map") });
  const file = page.getByRole("button", { name: "Remove map.txt" });
  await expect(file).toBeVisible();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
  await send(page, "Meet me hree");
  await expect(held(page)).toContainText("Sending…");
  await expect(held(page)).toContainText("map.txt");

  await field(page).press("Control+z");
  await page.clock.runFor(50);
  await expect(field(page)).toHaveValue("Meet me hree");
  await expect(field(page)).toBeFocused();
  await expect(file).toBeVisible();
  await expect(held(page)).toHaveCount(0);

  await page.clock.runFor(6000);
  await send(page, "Meet me here");
  await page.clock.runFor(4990);
  expect(await textsOn(handle)).toEqual([]);
  await page.clock.runFor(10);
  await expect.poll(() => textsOn(handle)).toEqual(["Meet me here"]);
  await page.clock.resume();
  await expect(held(page)).toHaveCount(0);
  const sent = page.getByRole("article").filter({ hasText: "Meet me here" });
  await expect(sent.getByRole("link", { name: /map\.txt/ })).toBeVisible();
});

test("two messages leave in the order in which they were written, and the first can be taken back to what follows", async ({
  page,
}) => {
  const { handle } = await openHeld(page);
  await send(page, "one");
  await page.clock.runFor(3000);
  await send(page, "two");
  await page.clock.runFor(2000);
  await expect.poll(() => textsOn(handle)).toEqual(["one"]);
  await page.clock.runFor(3000);
  await expect.poll(() => textsOn(handle)).toEqual(["one", "two"]);

  await send(page, "three");
  await send(page, "four");
  await field(page).fill("five");
  await held(page).filter({ hasText: "three" }).getByRole("button", { name: "Undo" }).click();
  await expect(field(page)).toHaveValue("three\nfive");
  await page.clock.runFor(5000);
  await expect.poll(() => textsOn(handle)).toEqual(["one", "two", "four"]);
});

test("a message is sent at once when the user leaves: to another tab, a reload, another site", async ({
  page,
}) => {
  const { handle } = await openHeld(page);
  await send(page, "in the background");
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Reflect.deleteProperty(document, "visibilityState");
  });
  await expect.poll(() => textsOn(handle)).toEqual(["in the background"]);
  await page.clock.runFor(1000);

  await send(page, "before the reload");
  await page.reload();
  await expect.poll(() => textsOn(handle)).toEqual(["in the background", "before the reload"]);

  await page.clock.resume();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await send(page, "before leaving");
  await page.goto("about:blank");
  await expect
    .poll(() => textsOn(handle))
    .toEqual(["in the background", "before the reload", "before leaving"]);
});

test("an opt-out within the five seconds keeps the message, with the reason, in the thread", async ({
  page,
}) => {
  const { handle, chatId } = await openHeld(page);
  await send(page, "Anything else?");
  await write(handle, chatId, "STOP");
  await page.clock.runFor(5000);
  await page.clock.resume();
  await expect(held(page).getByRole("alert")).toContainText("code 2024");
  await expectAccessible(page);
  await held(page).getByRole("button", { name: "Edit" }).click();
  await expect(field(page)).toHaveValue("Anything else?");
  expect(await textsOn(handle)).not.toContain("Anything else?");
});
