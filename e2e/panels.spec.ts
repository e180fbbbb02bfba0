import { startReceiver } from "../lib/testing/servers/start-receiver";
import { expectAccessible } from "./accessible";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

const DESKTOP = { width: 1280, height: 800 };

test("a delivery opens beside its list with its address; Back, Escape and a reload keep what they promise", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const { chatId } = await newPhone();
  const { body } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  await send(chatId, "beside the list");
  await receiver.next("message.sent");
  await page.goto(`/webhooks/${body.id}`);
  const row = page.getByRole("row").filter({ hasText: "beside the list" });
  await expect(row).toContainText("Delivered");
  const panel = page.getByRole("dialog", { name: "message.sent" });

  await row.getByRole("link").click();
  await expect(panel.getByRole("article", { name: "Attempt 1" })).toContainText("ok");
  await expect(page).toHaveURL(/\?open=[0-9a-f-]{36}$/);
  await expect(page.locator("h1")).toHaveCount(1);
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await page.goBack();
  await expect(panel).toHaveCount(0);
  await page.goForward();
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/webhooks/${body.id}$`));

  await row.getByRole("link").click();
  await expect(panel.getByRole("article", { name: "Attempt 1" })).toBeVisible();
  await page.reload();
  await panel.getByRole("link", { name: "Open full page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "message.sent" })).toBeVisible();
  await sendRequest(`DELETE /v3/webhook-subscriptions/${body.id}`);
  await receiver.close();
});

test("on a phone a payment request opens as a page, on a desktop beside the list", async ({ page }) => {
  const description = `Panel ${Date.now()}`;
  const created = await sendRequest("POST /v3/payment_requests", {
    amount: 4200,
    currency: "usd",
    description,
  });
  await page.goto("/payments");
  const link = page.getByRole("row").filter({ hasText: description }).getByRole("link").first();
  await link.click();
  const panel = page.getByRole("dialog", { name: "$42.00 USD" });
  await expect(panel.getByText("Processor", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/payments/${created.body.id}$`));
  await expect(page.getByRole("heading", { level: 1, name: "$42.00 USD" })).toBeVisible();
});

test("the history of an opt-out has an address", async ({ page }) => {
  const { handle } = await newPhone();
  await write(handle, firstRun().line, "STOP");
  await page.goto(`/opt-outs?handle=${encodeURIComponent(handle)}`);
  await page.getByRole("row").filter({ hasText: handle }).getByRole("button").first().click();
  const panel = page.getByRole("dialog", { name: handle });
  await expect(panel).toContainText("Wrote “STOP”");
  await page.reload();
  await expect(panel).toContainText("Wrote “STOP”");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
});

test("a number is blocked from the palette and unblocked, each with an undo", async ({ page }) => {
  const { handle } = await newPhone();
  await page.goto("/events");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
  await page.keyboard.type(`block ${handle}`);
  await page.getByRole("option", { name: `Block ${handle}…` }).click();
  const dialog = page.getByRole("dialog", { name: "Block a number" });
  await expect(dialog.getByLabel("Phone number or email address")).toHaveValue(handle);
  await expect(page).toHaveURL(/\/blocked-handles$/);
  await dialog.getByLabel("Reason (optional)").fill("spam");
  await dialog.getByRole("button", { name: "Block" }).click();
  const row = page.getByRole("row").filter({ hasText: handle });
  await expect(row).toContainText("spam");

  const said = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  await row.getByRole("button", { name: `Unblock ${handle}` }).click();
  await expect(row).toHaveCount(0);
  await said(`${handle} unblocked`).getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("spam");
  await said(`${handle} blocked`).last().getByRole("button", { name: "Undo" }).click();
  await expect(row).toHaveCount(0);
});

test("actions of the palette open their forms", async ({ page }) => {
  await page.goto("/");
  // The page is interactive once its event stream is open.
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  for (const [action, title] of [
    ["Add an opt-out", "Add an opt-out"],
    ["Add a webhook endpoint", "Add a webhook endpoint"],
    ["Create a payment request", "New payment request"],
    ["Invite a person", "Invite a person"],
  ]) {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Command palette" })).toBeFocused();
    await page.keyboard.type(action ?? "");
    await page.getByRole("option", { name: action, exact: true }).click();
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("the palette flags a line by its number, and clears the flag", async ({ page }) => {
  const { rcs_line: number } = firstRun();
  await page.goto("/");
  for (const [typed, command, done] of [
    [`flag ${number}`, `Flag line ${number}…`, "Line flagged"],
    [`unflag ${number.slice(-6)}`, `Clear flag ${number}…`, "Flag cleared"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(typed);
    await page.getByRole("option", { name: command }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: command.replace(` ${number}…`, "") }).click();
    await expect(page.getByText(done, { exact: true })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  }
});
