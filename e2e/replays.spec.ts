import type { Page } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

async function subscribe(targetUrl: string): Promise<string> {
  const { status, body } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: targetUrl,
    subscribed_events: ["message.sent"],
  });
  expect(status).toBe(201);
  return body.id;
}

function replayOf(page: Page) {
  return page.getByRole("region", { name: "Replay in progress" });
}

test("failed deliveries are counted and replayed from the page; the replay is followed, slowed, paused and resumed to its end", async ({
  page,
}) => {
  const receiver = await startReceiver();
  receiver.answer(404);
  const id = await subscribe(receiver.url);
  const { chatId } = await newPhone();
  // At one event per second, the replay is still in progress when it is paused.
  await Promise.all(Array.from({ length: 30 }, (_, number) => send(chatId, `text ${number}`)));
  await page.goto(`/webhooks/${id}?status=failed`);
  await expect(page.getByRole("row").filter({ hasText: "404" })).toHaveCount(30);
  receiver.answer(200);

  await page.getByRole("link", { name: "Replays" }).click();
  await page.getByRole("button", { name: "Replay failed…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toContainText("30 events");
  await dialog.getByRole("combobox", { name: "Speed" }).click();
  await page.getByRole("option", { name: "1 per second", exact: true }).click();
  await dialog.getByRole("button", { name: "Replay 30 events" }).click();

  await replayOf(page).getByRole("button", { name: "Pause replay" }).click();
  await expect(replayOf(page).getByText("Paused", { exact: true })).toBeVisible();
  const sent = receiver.received.length;
  await replayOf(page).getByRole("combobox", { name: "Speed" }).click();
  await page.getByRole("option", { name: "100 per second", exact: true }).click();
  await replayOf(page).getByRole("button", { name: "Resume replay" }).click();

  const row = page.getByRole("table", { name: "Replays" }).getByRole("row").nth(1);
  await expect(row).toContainText("Done");
  await expect(replayOf(page)).toHaveCount(0);
  const replayed = receiver.received.filter(({ headers }) => headers["x-webhook-replay"] === "true");
  expect(new Set(replayed.map(({ headers }) => headers["webhook-id"])).size).toBe(30);
  expect(sent).toBeLessThan(receiver.received.length);
  await row.getByRole("link").click();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(30);

  await page.goto(`/webhooks/${id}/replays`);
  await page.getByRole("button", { name: "Replay failed…" }).click();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("nothing to replay");
  await expect(page.getByRole("dialog").getByRole("button", { name: /^Replay 0/ })).toBeDisabled();
  await receiver.close();
});

test("deliveries that are still being retried are counted in the dialog and retried with a click", async ({
  page,
}) => {
  const receiver = await startReceiver();
  receiver.answer(503, { "retry-after": "600" });
  const id = await subscribe(receiver.url);
  const { chatId } = await newPhone();
  await Promise.all(["one", "two"].map((text) => send(chatId, text)));
  await expect.poll(() => receiver.received.length).toBe(2);
  receiver.answer(200);

  await page.goto(`/webhooks/${id}/replays`);
  await page.getByRole("button", { name: "Replay failed…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 deliveries failed and will be retried, the next at");
  await dialog.getByRole("button", { name: "Retry now" }).click();

  await expect(page.getByRole("listitem").filter({ hasText: "Retrying 2 deliveries now" })).toBeVisible();
  await expect(dialog).not.toContainText("will be retried");
  await page.goto(`/webhooks/${id}?status=delivered`);
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(2);
  await receiver.close();
});

test("a replay by filter is rejected with the reason, then narrowed, started and canceled", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const id = await subscribe(receiver.url);
  const { chatId } = await newPhone();
  const refunds = Array.from({ length: 30 }, (_, number) => `refund ${number}`);
  await Promise.all([...refunds, "nothing"].map((text) => send(chatId, text)));
  await expect.poll(() => receiver.received.length).toBe(31);
  await page.goto(`/webhooks/${id}/replays`);
  await page.getByRole("button", { name: "Replay by filter…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("JSON path").fill("$.(");
  await expect(dialog.getByRole("alert")).toContainText("JSON path is not valid");
  await dialog.getByLabel("JSON path").fill('$.message.parts[*].value like_regex "refund"');
  await expect(dialog.getByRole("status")).toContainText("30 events");
  await dialog.getByRole("combobox", { name: "Speed" }).click();
  await page.getByRole("option", { name: "1 per second", exact: true }).click();
  await dialog.getByRole("button", { name: "Replay 30 events" }).click();

  await replayOf(page).getByRole("button", { name: "Pause replay" }).click();
  await expect(replayOf(page).getByText("Paused", { exact: true })).toBeVisible();
  await replayOf(page).getByRole("button", { name: "Cancel replay" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel replay" }).click();
  await expect(page.getByRole("table", { name: "Replays" })).toContainText("Canceled");
  await receiver.close();
});

test("a rate limit is set on an endpoint and removed again", async ({ page }) => {
  const receiver = await startReceiver();
  const id = await subscribe(receiver.url);
  await page.goto(`/webhooks/${id}`);
  await expect(page.getByText("No rate limit", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Rate limit" }).click();
  await page.getByLabel("Events per second").fill("5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Up to 5 events per second", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Rate limit" }).click();
  await expect(page.getByLabel("Events per second")).toHaveValue("5");
  await page.getByLabel("Events per second").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("No rate limit", { exact: true })).toBeVisible();
  await receiver.close();
});

test("the statistics show attempts, latency and failure reasons; a reason links to its deliveries", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const id = await subscribe(receiver.url);
  const { chatId } = await newPhone();
  await send(chatId, "arrives");
  await receiver.next("message.sent");
  receiver.answer(404);
  await send(chatId, "does not");
  await expect.poll(() => receiver.received.length).toBe(2);

  await page.goto(`/webhooks/${id}/statistics`);
  await expect(page.getByText("50%", { exact: true })).toBeVisible();
  await expect(page.getByRole("table")).toContainText("Succeeded");
  await page.getByRole("link", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL(/period=7d/);
  await expect(page.getByText("The URL does not exist on the server.")).toBeVisible();
  await page.getByRole("link", { name: "Deliveries with this failure: 404" }).click();
  await expect(page.getByRole("row").filter({ hasText: "message.sent" })).toHaveCount(1);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe(`deliveries-${id}.csv`);
  await receiver.close();
});

test("a real past event is sent as a test", async ({ page }) => {
  const receiver = await startReceiver();
  const { chatId } = await newPhone();
  const text = `past ${Date.now()}`;
  await send(chatId, text);
  // The page offers the events that exist when it opens.
  const sent = `/api/events?chat_id=${chatId}&types=message.sent`;
  await expect.poll(async () => (await (await page.request.get(sent)).json()).events.length).toBe(1);
  const id = await subscribe(receiver.url);
  await page.goto(`/webhooks/${id}`);
  const past = page.getByRole("option", { name: new RegExp(text) });
  // The list opens once the page's script runs, and nothing on the page shows when it does.
  await expect(async () => {
    await page.getByRole("combobox", { name: "Test payload" }).click();
    await expect(past).toBeVisible({ timeout: 1000 });
  }).toPass();
  await past.click();
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByRole("region", { name: "Test" })).toContainText("200");

  expect(receiver.received.at(-1)?.body).toContain(text);
  await receiver.close();
});
