import { startReceiver } from "../lib/testing/servers/start-receiver";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";

test("events appear as they happen; a pause holds and counts them", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/events");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");

  await write(handle, chatId, "first, live");
  await expect(rows.first()).toContainText("first, live");

  await page.keyboard.press("p");
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await write(handle, chatId, "second, held");
  await write(handle, chatId, "third, held");
  await expect(page.getByText("2 events received while paused")).toBeVisible();
  await expect(rows.first()).toContainText("first, live");

  await page.getByRole("button", { name: "Resume" }).click();
  await expect(rows.nth(0)).toContainText("third, held");
  await expect(rows.nth(1)).toContainText("second, held");
});

test("events of an interruption appear when the connection comes back", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  const [newest] = (await (await page.request.get("/api/events?limit=1")).json()).events;
  let connection: "breaks" | "away" | "back" = "breaks";
  await page.route("**/api/events/stream*", async (route) => {
    if (connection === "back") return route.continue();
    if (connection === "away") return route.abort("connectionfailed");
    connection = "away";
    const body = `retry: 200\nevent: ready\nid: ${newest.seq}\ndata: {}\n\n`;
    await route.fulfill({ contentType: "text/event-stream", body });
  });
  await page.goto("/events");
  await expect(page.getByText("Reconnecting")).toBeVisible();
  for (const text of ["missed 1", "missed 2", "missed 3"]) await write(handle, chatId, text);

  connection = "back";

  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");
  await expect(rows.nth(0)).toContainText("missed 3", { timeout: 20_000 });
  await expect(rows.nth(1)).toContainText("missed 2");
  await expect(rows.nth(2)).toContainText("missed 1");
  await expect(page.getByText("missed 2")).toHaveCount(1);
});

test("the log is filtered by type, in the address and as it happens", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/events");
  await page.getByRole("button", { name: /^Event types/ }).click();
  await page.getByRole("checkbox", { name: /^message\.delivered/ }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL(/types=message\.delivered/);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();

  await write(handle, chatId, "filtered out");
  await send(chatId, "comes through");

  const list = page.getByRole("list", { name: "Events" });
  await expect(list.getByText("comes through").first()).toBeVisible();
  await expect(list.getByText("filtered out")).toHaveCount(0);
  expect(new Set(await list.locator("button span.font-mono").allTextContents())).toEqual(
    new Set(["message.delivered"]),
  );
});

test("a developer reads the log, both payloads of an event and its deliveries with the keyboard alone", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const { body: subscription } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.received"],
  });
  const { handle, chatId } = await newPhone();
  await write(handle, chatId, "the newest");
  await receiver.next("message.received", (event) => JSON.stringify(event.data).includes("the newest"));
  await page.goto("/events");
  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");
  await expect(rows.first()).toContainText("the newest");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();

  await page.keyboard.press("j");
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");

  const panel = page.getByRole("complementary", { name: "Event" });
  await expect(panel).toContainText('"webhook_version": "2026-02-03"');
  await panel.getByRole("tab", { name: "2025-01-01" }).click();
  await expect(panel).toContainText('"from_handle"');
  const delivery = panel.getByRole("listitem").filter({ hasText: receiver.url });
  await expect(delivery.first()).toContainText("Delivered");
  await expect(delivery.first()).toContainText("Attempt 1");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/open=/);

  await sendRequest(`DELETE /v3/webhook-subscriptions/${subscription.id}`);
  await receiver.close();
});

test("an open event has an address: a reload and a link show it, also when the list does not contain it; Back closes it", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  const text = `addressed ${Date.now()}`;
  await write(handle, chatId, text);
  await page.goto("/events");
  await page
    .getByRole("list", { name: "Events" })
    .getByRole("button")
    .filter({ hasText: text })
    .first()
    .click();
  await expect(page).toHaveURL(/\?open=\d+$/);
  const panel = page.getByRole("complementary", { name: "Event" });
  await expect(panel).toContainText(text);
  await page.goBack();
  await expect(page).toHaveURL(/\/events$/);
  await expect(panel).toHaveCount(0);
  await page.goForward();
  await expect(panel).toContainText(text);
  const { searchParams } = new URL(page.url());

  await page.goto(`/events?types=message.failed&open=${searchParams.get("open")}`);
  await expect(panel.getByRole("heading", { level: 2 })).toHaveText("message.received");
  await expect(panel).toContainText(text);
  await panel.getByRole("button", { name: "Close event" }).click();
  await expect(page).toHaveURL(/\/events\?types=message\.failed$/);
  await page.goto("/events?open=999999999");
  await expect(panel.getByRole("alert")).toContainText("The event could not be loaded");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/events?open=${searchParams.get("open")}`);
  await expect(page.getByRole("dialog", { name: "message.received" })).toContainText(text);
});

test("a trace id finds all of what it caused; the search is in the address, and an event is sent on as a test", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const { body: subscription } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  const { chatId } = await newPhone();
  const text = `traced ${Date.now()}`;
  await send(chatId, text);
  await send(chatId, "another");
  const { event } = await receiver.next("message.sent", ({ data }) => JSON.stringify(data).includes(text));
  const trace = String(event.trace_id);
  await page.goto("/events");
  // Before that, the browser submits the form as it was typed.
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("searchbox", { name: /^Search by the ID/ }).fill(` ${trace} `);
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL(new RegExp(`q=${trace}`));
  await expect(page.getByText(`Events of the trace ${trace}`)).toBeVisible();
  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");
  await expect(rows.filter({ hasText: "message.sent" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "another" })).toHaveCount(0);
  await rows.filter({ hasText: "message.sent" }).click();
  const panel = page.getByRole("complementary", { name: "Event" });
  await expect(panel.getByRole("button", { name: "Copy event as JSON" })).toBeVisible();
  await panel.getByRole("combobox", { name: "Endpoint" }).click();
  await page.getByRole("option", { name: receiver.url }).click();
  await panel.getByRole("button", { name: "Send test" }).click();
  await expect(panel.getByRole("region", { name: "Send as a test" })).toContainText("200");
  expect(receiver.received.at(-1)?.headers["x-webhook-test"]).toBe("true");

  await page.goto("/events?q=not-an-id");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("q must be an ID");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await sendRequest(`DELETE /v3/webhook-subscriptions/${subscription.id}`);
  await receiver.close();
});

test("events are searched by what they hold and by what became of them", async ({ page }) => {
  const { chatId } = await newPhone();
  const word = `quartz${Date.now()}`;
  await send(chatId, `a ${word} in it`);
  await send(chatId, "nothing in it");
  // A search is not live: it only finds events that exist already.
  const sent = `/api/events?chat_id=${chatId}&types=message.sent`;
  await expect.poll(async () => (await (await page.request.get(sent)).json()).events.length).toBe(2);
  await page.goto("/events");
  await page.getByRole("button", { name: "More filters" }).click();
  await page
    .getByLabel("JSON path that the event data must match")
    .fill(`$.message.parts[*].value like_regex "${word}"`);
  await page.keyboard.press("Enter");

  await expect(page.getByText("Search results")).toBeVisible();
  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");
  await expect(rows.first()).toContainText(word);
  await expect(rows.filter({ hasText: "nothing in it" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "JSON path that the event data must match" }).fill("$.(");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("JSON path is not valid");
});
