import { startReceiver } from "../lib/testing/servers/start-receiver";
import { expectAccessible, expectPagesAccessible } from "./accessible";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { tabTo } from "./tab-to";

/** Guides with tables from the code. `every-page.spec.ts` opens one guide of each type. */
const GUIDES = [
  "/docs/guides/chats/chat-health",
  "/docs/guides/programs",
  "/docs/guides/tokens",
  "/docs/guides/hardening",
];

test("axe finds nothing on two chats and an open event", async ({ page }) => {
  const { chatId } = await newPhone();
  const failing = await newPhone({ fault: "unreachable" });
  await send(chatId, "for the eye");
  await send(failing.chatId, "for the eye, failing");
  await expectPagesAccessible(page, [`/chats/${chatId}`, `/chats/${failing.chatId}`]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/events");
  await page.getByRole("list", { name: "Events" }).getByRole("button").first().click();
  await expect(page.getByText("api_version").first()).toBeVisible();
  await expectAccessible(page);
});

test("axe finds nothing on filtered events, a replay to be begun and a failed delivery", async ({ page }) => {
  const receiver = await startReceiver();
  const { body: subscription } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  const { chatId } = await newPhone();
  receiver.answer(404);
  await send(chatId, "for the endpoint, failing");
  await expect.poll(() => receiver.received.length).toBe(1);
  receiver.answer(200);
  await send(chatId, "for the endpoint");
  await receiver.next("message.sent", ({ data }) => !JSON.stringify(data).includes("failing"));

  const endpoint = `/webhooks/${subscription.id}`;
  await expectPagesAccessible(page, [
    `/events?status=failed&endpoint=${subscription.id}`,
    "/events?q=nothing-known",
  ]);
  await page.goto(`${endpoint}/replays`);
  await page.getByRole("button", { name: "Replay by filter…" }).click();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("2 events");
  await expectAccessible(page);

  await page.goto(endpoint);
  await page.getByRole("link", { name: "message.sent" }).first().click();
  await expect(page.getByRole("article", { name: "Attempt 1" })).toBeVisible();
  await expectAccessible(page);
  await receiver.close();
});

test("axe finds nothing on guides with tables from the code", async ({ page }) => {
  await expectPagesAccessible(page, GUIDES);
});

test("a person skips to the content and opens a chat with the keyboard alone", async ({ page }) => {
  const { handle } = await newPhone();
  await page.goto("/chats");
  await page.waitForFunction(() => document.documentElement.dataset.hydrated === "true");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, new RegExp(`\\${handle}`));
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: handle })).toBeVisible();
});

test("every error code the API can answer has its page", async ({ page, request }) => {
  await page.goto("/docs/error/codes");
  const links = await page
    .locator('a[href^="/docs/error/codes/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(60);

  const refused = await (await fetch(new URL("/v3/chats", page.url()))).json();
  const answers = await Promise.all(
    [...links, new URL(refused.error.doc_url).pathname].map((href) => request.get(href)),
  );

  expect(answers.map((answer) => answer.status()).filter((status) => status !== 200)).toEqual([]);
});
