import { expect, test } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { type OwnInstance, startOwnInstance } from "./own-instance";
import { tabTo } from "./tab-to";

/** Long enough for all retries and for the check of endpoints, which runs every five minutes. */
const NIGHT = { advance: "6h", run_until_idle: true };
/** Ten attempts are enough to rate an endpoint. */
const TEXTS = Array.from({ length: 10 }, (_, index) => `Your order ${index + 1} is on its way`);

let instance: OwnInstance;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  instance = await startOwnInstance();
});
test.afterAll(() => instance?.stop());

test("a programmer goes from Home's notice to the failing endpoint and its attempts, mends the target and replays", async ({
  page,
}) => {
  const { demo, call } = instance;
  const receiver = await startReceiver();
  await call("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.received", "message.sent"],
  });
  const { body: said } = await call(`POST /simulator/phones/${demo.phone}/messages`, {
    to: demo.line,
    text: "Where is my order?",
  });
  await receiver.next("message.received");
  receiver.answer(500);
  for (const value of TEXTS) {
    await call(`POST /v3/chats/${said.chat_id}/messages`, { message: { parts: [{ type: "text", value }] } });
  }
  await call("POST /simulator/clock", NIGHT);

  await instance.signIn(page);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toBeVisible();
  // Several problems are in one row, which expands.
  const several = attention.locator("summary");
  if ((await several.count()) > 0) await several.click();
  const target = receiver.url.replace("http://", "");
  const notice = attention.getByRole("listitem").filter({ hasText: `The endpoint ${target} is failing` });
  await expect(notice).toContainText(/At least \d+% of attempts in 24 hours failed/);
  await notice.getByRole("link", { name: "View endpoint" }).click();

  await expect(page.getByRole("heading", { level: 1, name: target })).toBeVisible();
  const failed = page.getByRole("row").filter({ hasText: "message.sent" }).filter({ hasText: "Failed" });
  await expect(failed).toHaveCount(TEXTS.length);
  await failed.first().getByRole("link").first().click();
  const panel = page.getByRole("dialog", { name: "message.sent" });
  const attempt = panel.getByRole("article", { name: "Attempt 1", exact: true });
  await expect(attempt).toContainText("500");
  await expect(attempt).toContainText("not now");
  await page.keyboard.press("Escape");

  const mended = await startReceiver();
  await page.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Target URL" }).fill(mended.url);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: mended.url.replace("http://", "") }),
  ).toBeVisible();
  await page.getByRole("link", { name: "Replays" }).click();
  await page.getByRole("button", { name: "Replay failed…" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: `Replay ${TEXTS.length} events` })
    .click();
  await expect
    .poll(() => new Set(mended.received.map(({ event }) => event.event_id)).size)
    .toBe(TEXTS.length);
  await expect(page.getByRole("table", { name: "Replays" }).getByRole("row").nth(1)).toContainText("Done");

  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(attention).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.goto(`${demo.base_url}/settings/audit-log`);
  for (const action of ["Webhook subscription updated", "Webhook replay created"]) {
    await expect(page.getByRole("row").filter({ hasText: action }).first()).toContainText("Admin");
  }
  await receiver.close();
  await mended.close();
});

test("an agent signs in, answers the chat that waits and closes a dialog with the keyboard alone", async ({
  page,
}) => {
  const { demo, call } = instance;
  const handle = "+15550100142";
  await call("POST /simulator/phones", { handle, name: "Kay Board", delay_ms: 0 });
  const question = "Do you have it in blue?";
  await call(`POST /simulator/phones/${handle}/messages`, { to: demo.line, text: question });

  await page.goto(`${demo.base_url}/sign-in`);
  await tabTo(page, "Email");
  await page.keyboard.type(demo.admin.email);
  await tabTo(page, "Password");
  await page.keyboard.type(demo.admin.password);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await page.locator("html[data-hydrated=true]").waitFor();

  await tabTo(page, "Chats");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Chats", level: 1 })).toBeVisible();
  await tabTo(page, new RegExp(question.replace("?", "\\?")));
  await page.keyboard.press("Enter");
  const messages = page.getByRole("log", { name: "Messages" });
  await expect(messages).toContainText(question);

  await tabTo(page, "Message");
  await page.keyboard.type("Yes, in two shades.");
  await page.keyboard.press("Enter");
  await expect(messages).toContainText("Yes, in two shades.");
  await expect(messages).toContainText("Delivered");

  await tabTo(page, "Theme");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Theme" })).toBeFocused();
  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(shortcuts).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Theme" })).toBeFocused();
});

test("without Stripe's settings, the payment settings say why it can't be connected", async ({ page }) => {
  await instance.signIn(page);
  await page.goto(`${instance.demo.base_url}/payments/settings`);

  const connect = page.getByRole("button", { name: "Connect Stripe" });
  await expect(connect).toBeDisabled();
  await expect(connect).toHaveAccessibleDescription(/^Stripe can't be connected: /);
});
