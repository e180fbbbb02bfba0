import { startReceiver } from "../lib/testing/servers/start-receiver";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

test("an endpoint is added, gets a message's event, is tested, paused and deleted", async ({ page }) => {
  const receiver = await startReceiver();
  const { chatId } = await newPhone();
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Target URL" }).fill(receiver.url);
  await dialog.getByLabel("Search events").fill("message.sent");
  await dialog.getByRole("button", { name: "Select all" }).click();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByTestId("signing-secret")).toHaveText(/^whsec_/);
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: receiver.url }).click();
  await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await send(chatId, "for the endpoint");
  await receiver.next("message.sent");
  const row = page.getByRole("row").filter({ hasText: "message.sent" });
  await expect(row).toContainText("Delivered");
  await expect(row).toContainText("200");

  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "message.sent" })).toBeVisible();
  await expect(page.getByRole("article", { name: "Attempt 1" })).toContainText("ok");
  await expect(page.getByRole("region", { name: "Payload" })).toContainText("for the endpoint");
  await expect(page.getByRole("region", { name: "Request headers" })).toContainText("webhook-signature");
  await page.getByRole("button", { name: "Replay" }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  await page.goBack();

  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByRole("region", { name: "Test" })).toContainText("200");
  expect(receiver.received.at(-1)?.headers["x-webhook-test"]).toBe("true");

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByText("Routing headers", { exact: true }).click();
  await dialog.getByLabel("Routing key header").fill("X-Node");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Routing key header: X-Node")).toBeVisible();
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(dialog.getByLabel("Routing key header")).toHaveValue("X-Node");
  await dialog.getByLabel("Routing key header").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Routing key header: X-Node")).toHaveCount(0);

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Create new secret" }).click();
  await expect(page.getByTestId("signing-secret")).toHaveText(/^whsec_/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Switch now" }).click();
  await expect(page.getByText("X-Webhook-Signature uses the new secret")).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await send(chatId, "while the endpoint is paused");
  const skipped = page.getByRole("row").filter({ hasText: "Skipped" });
  await expect(skipped).toHaveCount(1);
  await expect(skipped.getByRole("button", { name: "Replay" })).toBeVisible();
  const before = receiver.received.length;
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(dialog.getByRole("status")).toContainText("1 event was skipped or failed since");
  await dialog.getByRole("button", { name: "Resume and replay 1" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  expect(receiver.received.at(-1)?.headers["x-webhook-replay"]).toBe("true");

  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Replay…" }).click();
  await dialog.getByRole("textbox", { name: "From" }).fill("yesterday 2pm");
  await expect(dialog.getByText(/, 14:00:00/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "From" }).fill("when it broke");
  await expect(dialog.getByText("This is not a time.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await expect(page.getByRole("link", { name: receiver.url })).toHaveCount(0);
  await receiver.close();
});

test("a named endpoint shows its name, and a failed delivery its retries, recipient and subject", async ({
  page,
}) => {
  const receiver = await startReceiver();
  receiver.answer(500);
  const { chatId, handle } = await newPhone();
  const { body } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  await page.goto(`/webhooks/${body.id}`);
  const target = receiver.url.replace("http://", "");
  await expect(page.getByRole("heading", { level: 1, name: target })).toBeVisible();
  await send(chatId, "for the order service");
  await receiver.next("message.sent");
  const row = page.getByRole("row").filter({ hasText: "message.sent" });
  await expect(row).toContainText(/Retrying, \d+ failed/);
  await expect(row).toContainText(handle);
  await expect(row).toContainText("for the order service");
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByLabel("Name (optional)").fill("Order service");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Order service" })).toBeVisible();
  await row.getByRole("link").click();
  const panel = page.getByRole("dialog", { name: "message.sent" });
  await expect(panel.getByText(/Retrying, \d+ failed/)).toBeVisible();
  await panel.getByRole("link", { name: "Open full page" }).click();
  await expect(page.getByRole("link", { name: "Order service" })).toBeVisible();
  await page.goto("/webhooks");
  await expect(page.getByRole("row").filter({ hasText: receiver.url })).toContainText("Order service");
  await sendRequest(`DELETE /v3/webhook-subscriptions/${body.id}`);
  await receiver.close();
});

test("an invalid target URL is rejected with the reason", async ({ page }) => {
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Target URL" }).fill("http://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Select all" }).click();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();

  await expect(dialog.getByRole("alert").first()).toContainText("The endpoint was not saved");
});

test("the form sets turns and the order per chat, and a stopped chat is shown, named and resumed", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const receiver = await startReceiver((response) => response.writeHead(400).end());
  const { chatId } = await newPhone();
  const { body } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  await page.goto(`/webhooks/${body.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("group", { name: "Turns" })).toHaveCount(0);
  await dialog.getByRole("checkbox", { name: /^chat\.turn/ }).click();
  const turns = dialog.getByRole("group", { name: "Turns" });
  await turns.getByLabel("Quiet (seconds)").fill("4");
  await turns.getByLabel("Maximum (seconds)").fill("3");
  await turns.getByRole("checkbox", { name: "Turns in groups" }).press("Space");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(turns.getByLabel("Maximum (seconds)")).toBeFocused();
  await turns.getByLabel("Maximum (seconds)").fill("20");
  await dialog.getByRole("checkbox", { name: "Deliver the events of each chat in order" }).click();
  await dialog.getByRole("combobox", { name: "After a delivery permanently fails" }).click();
  await page.getByRole("option", { name: "Stop the chat" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(
    page.getByText("Turns close after 4 s of quiet, at most 20 s, direct chats only"),
  ).toBeVisible();
  await expect(page.getByText("In order per chat, stops after a failure")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await send(chatId, "refused");
  await receiver.next("message.sent");
  const notice = page.getByRole("alert").filter({ hasText: "1 chat is stopped" });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await notice.getByRole("link", { name: "Show the failed deliveries" }).click();
  await expect(page.getByText("Stopped", { exact: true }).first()).toBeVisible();
  await notice.getByRole("button", { name: "Skip the failed deliveries of all stopped chats" }).click();
  await expect(notice).toHaveCount(0);
  await sendRequest(`DELETE /v3/webhook-subscriptions/${body.id}`);
  await receiver.close();
});
