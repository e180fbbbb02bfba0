import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible } from "./accessible";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";

test("a chat is followed live: sent, delivered, read, answered", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/chats");
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: handle }).click();
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByText("Hello!")).toBeVisible();

  await send(chatId, "Live one");
  const bubble = log.getByRole("article").filter({ hasText: "Live one" });
  await expect(bubble).toContainText("iMessage");
  await expect(bubble).toContainText("Delivered");
  await sendRequest(`POST /simulator/phones/${handle}/read`, { chat_id: chatId });
  await expect(bubble).toContainText("Read");

  await write(handle, chatId, "Heard you");
  await expect(log.getByText("Heard you")).toBeInViewport();
  await expect(page.getByRole("navigation", { name: "Chats" })).toContainText("Heard you");
});

test("a person sends from the dashboard, and trace and message id are at hand", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  await page.getByLabel("Message", { exact: true }).fill("From a person");
  await page.keyboard.press("Enter");

  const bubble = page.getByRole("article").filter({ hasText: "From a person" });
  await expect(bubble).toContainText("Delivered");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
  await bubble.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await expect(page.getByRole("button", { name: "Copy trace ID" })).toBeVisible();
  const { body } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(body.messages[0]).toMatchObject({ is_from_me: true, parts: [{ value: "From a person" }] });
  expect(handle).toMatch(/^\+1556/);
});

test("a message that fails says why, with its code and what to do", async ({ page }) => {
  const { chatId } = await newPhone({ fault: "unreachable" });
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByRole("log").getByText("Hello!")).toBeVisible();

  await send(chatId, "Into the void");

  const bubble = page.getByRole("article").filter({ hasText: "Into the void" });
  await expect(bubble).toContainText("Failed");
  await expect(bubble).toContainText("(4001)");
  await expect(bubble).toContainText("Check that the recipient's number or email address exists");
  await expect(bubble.getByRole("link", { name: "About error 4001" })).toHaveAttribute(
    "href",
    /\/docs\/error\/codes\/4xxx\/4001\/$/,
  );
});

test("a reaction is seen under its part, and a poll with its votes", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const log = page.getByRole("log", { name: "Messages" });
  const { body: sent } = await send(chatId, "React to me");
  const bubble = log.getByRole("article").filter({ hasText: "React to me" });
  await expect(bubble).toContainText("Delivered");

  await sendRequest(`POST /simulator/phones/${handle}/reactions`, {
    message_id: sent.message.id,
    type: "love",
  });
  await expect(bubble.getByRole("button", { name: `Love: ${handle}` })).toBeVisible();

  const { body: made } = await sendRequest(`POST /v3/chats/${chatId}/polls`, {
    poll: { options: [{ text: "Tea" }, { text: "Coffee" }] },
  });
  const poll = page.getByRole("region", { name: "Poll" });
  await expect(poll).toContainText("No votes yet");
  const [tea] = made.poll.options;
  await expect(log.getByRole("article").filter({ has: poll })).toContainText("Delivered");
  await sendRequest(`POST /simulator/phones/${handle}/votes`, {
    message_id: made.message_id,
    option_id: tea.option_id,
  });
  await expect(poll.getByRole("listitem").filter({ hasText: "Tea" })).toContainText(`1 vote${handle}`);
});

test("a send that is refused keeps the text and shows the real error", async ({ page }) => {
  const { chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  await page.route(`**/api/chats/${chatId}/messages`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const data = {
      message: {
        parts: [
          { type: "text", value: "one" },
          { type: "text", value: "two" },
        ],
      },
    };
    await route.continue({ postData: JSON.stringify(data) });
  });
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("Kept");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("alert").filter({ hasText: "two text parts can't be adjacent" })).toBeVisible();
  await expect(page.getByRole("link", { name: "code 1004" })).toBeVisible();
  await page.getByRole("article", { name: "Unsent message" }).getByRole("button", { name: "Edit" }).click();
  await expect(field).toHaveValue("Kept");
});

test("an opt-out closes the composer at once, and the next message opens it", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const field = page.getByLabel("Message", { exact: true });
  await expect(field).toBeEnabled();

  await write(handle, chatId, "STOP");
  await expect(page.getByText("Opted out by writing “STOP”")).toBeVisible();
  await expect(field).toBeDisabled();

  await write(handle, chatId, "I am back");
  await expect(field).toBeEnabled();
});

test("older messages come when scrolling up, and the place is kept", async ({ page }) => {
  const { handle, chatId } = await newPhone({}, "message 0");
  for (let index = 1; index <= 64; index++) await write(handle, chatId, `message ${index}`);
  await page.goto(`/chats/${chatId}`);
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByText("message 64", { exact: true })).toBeInViewport();
  await expect(log.getByText("message 0", { exact: true })).toHaveCount(0);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();

  await log.evaluate((element) => element.scrollTo(0, -element.scrollHeight));

  await expect(log.getByText("message 0", { exact: true })).toHaveCount(1);
  await expect(log.getByText("message 15", { exact: true })).toBeInViewport();

  await write(handle, chatId, "while reading above");
  await expect(page.getByRole("button", { name: "New messages" })).toBeVisible();
  await expect(log.getByText("message 15", { exact: true })).toBeInViewport();
  await page.getByLabel("Message", { exact: true }).fill("mine");
  await page.keyboard.press("Enter");
  await expect(log.getByText("mine", { exact: true })).toBeInViewport();
});

/** The box of an element, in CSS pixels of the window. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error("the element is not shown");
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
}

test("a bracket beside the messages of a turn appears when it closes, says why, and moves nothing", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  // Only the reply closes the turn, however slow the machine is.
  const { body: subscription } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: "https://example.com/brackets",
    subscribed_events: ["chat.turn"],
    turns: { quiet_seconds: 30, max_seconds: 120 },
  });
  try {
    await page.goto(`/chats/${chatId}`);
    const log = page.getByRole("log", { name: "Messages" });
    const article = (text: string) => log.getByRole("article").filter({ hasText: text });
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await write(handle, chatId, "Are you open");
    await write(handle, chatId, "on Sunday?");
    const [first, last] = [article("Are you open"), article("on Sunday?")];
    await expect(last).toBeInViewport();
    const bracket = log.getByRole("img", { name: /^One turn/ });
    await expect(bracket).toHaveCount(0);
    // The reply moves the thread as a whole.
    const readPlaces = async () => {
      const before = await boxOf(article("Hello!"));
      const [start, end] = [await boxOf(first), await boxOf(last)];
      return [start.left, start.top - before.bottom, end.bottom - start.top];
    };
    const places = await readPlaces();

    await send(chatId, "Yes, until six");
    await expect(bracket).toHaveAccessibleName("One turn · 2 messages · ended by an answer");
    await expect(article("Yes, until six")).toBeInViewport();
    for (const [index, place] of (await readPlaces()).entries())
      expect(place).toBeCloseTo(places[index] ?? Number.NaN, 1);
    const drawn = await boxOf(bracket);
    expect(Math.abs(drawn.top - (await boxOf(first)).top)).toBeLessThan(2);
    expect(Math.abs(drawn.bottom - (await boxOf(last)).bottom)).toBeLessThan(2);
    expect(drawn.right).toBeLessThanOrEqual((await boxOf(first)).left);
    const text = page.getByRole("tooltip").filter({ hasText: "One turn · 2 messages" });
    await bracket.hover();
    await expect(text).toBeVisible();
    await page.mouse.move(0, 0);
    await expect(text).toHaveCount(0);
    // A tap, which has no hover.
    await bracket.dispatchEvent("click");
    await expect(text).toBeVisible();

    // A page that is opened later has the bracket from the start.
    await page.reload();
    await expect(bracket).toHaveCount(1);
    await expectAccessible(page, { widths: [1280, 390] });
    expect((await boxOf(bracket)).left).toBeGreaterThan(0);
  } finally {
    await sendRequest(`DELETE /v3/webhook-subscriptions/${subscription.id}`);
  }
});

/** Sends a tall image to a chat. */
async function sendImage(chatId: string): Promise<void> {
  const canvas = sharp({ create: { width: 600, height: 900, channels: 3, background: "#1b4f72" } });
  const bytes = new Uint8Array(await canvas.png().toBuffer());
  const file = { filename: "menu.png", content_type: "image/png", size_bytes: bytes.length };
  const { body } = await sendRequest("POST /v3/attachments", file);
  const uploaded = await fetch(body.upload_url, {
    method: "PUT",
    headers: body.required_headers,
    body: bytes,
  });
  expect(uploaded.status).toBe(200);
  const parts = [{ type: "media", attachment_id: body.attachment_id }];
  const sent = await sendRequest(`POST /v3/chats/${chatId}/messages`, { message: { parts } });
  expect(sent.status).toBe(202);
}

/** Holds the images of a page back until the returned function is called. */
async function holdImages(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() === "image") await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Where an element is in the window, in CSS pixels from the top. */
async function topOf(element: Locator): Promise<number> {
  return Math.round((await element.boundingBox())?.y ?? Number.NaN);
}

for (const { place, reading } of [
  { place: "the end", reading: "message 24" },
  { place: "a place above the image", reading: "message 3" },
  { place: "a place below the image", reading: "message 16" },
]) {
  test(`an image that loads late doesn't move ${place}`, async ({ page }) => {
    const { handle, chatId } = await newPhone({}, "message 0");
    for (let index = 1; index <= 12; index++) await write(handle, chatId, `message ${index}`);
    await sendImage(chatId);
    for (let index = 13; index <= 24; index++) await write(handle, chatId, `message ${index}`);
    const release = await holdImages(page);
    // The load event waits for the images.
    await page.goto(`/chats/${chatId}`, { waitUntil: "commit" });
    const log = page.getByRole("log", { name: "Messages" });
    await expect(log.getByText("message 24", { exact: true })).toBeInViewport();
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    const read = log.getByText(reading, { exact: true });
    await read.scrollIntoViewIfNeeded();
    const before = await topOf(read);
    const height = await log.evaluate((element) => element.scrollHeight);

    release();

    await expect.poll(() => log.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height + 100);
    await expect.poll(() => topOf(read)).toBe(before);
  });
}

test("the list is filtered by handle and by line, in the address", async ({ page }) => {
  const { handle } = await newPhone();
  await page.goto("/chats");
  const list = page.getByRole("navigation", { name: "Chats" });
  await page.getByLabel("Search chats by number").fill(handle.slice(-7));
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`q=${handle.slice(-7)}`));

  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByLabel("Line", { exact: true }).click();
  await page.getByRole("option", { name: "RCS" }).click();
  await expect(page.getByText("No chats match this search")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(list.getByRole("link", { name: handle })).toBeVisible();
});
