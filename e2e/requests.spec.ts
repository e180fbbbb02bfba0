import type { Locator, Page } from "@playwright/test";
import { expectPagesAccessible } from "./accessible";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** Sends a message that is rejected because the number is not in E.164 format. Returns the trace id. */
async function refusedSend(to = "5550100"): Promise<string> {
  const message = { parts: [{ type: "text", value: "it's refused" }] };
  const { status, body } = await sendRequest("POST /v3/chats", { from: firstRun().line, to: [to], message });
  expect([status, body.error.code]).toEqual([400, 1002]);
  return body.trace_id;
}

/** The rows of the table without the header. */
function rows(page: Page): Locator {
  return page.getByRole("table", { name: "Requests" }).getByRole("rowgroup").last().getByRole("row");
}

/** Reloads the page until the log contains the latest request. */
async function openUntilLogged(page: Page, address: string, row: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(row).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
}

test("a refused request is found by its trace id, explained, and copied as curl", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const traceId = await refusedSend();
  await openUntilLogged(page, `/requests?q=${traceId}`, rows(page).first());
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("400 · 1002");

  await rows(page).getByRole("link").click();

  await expect(page.getByRole("heading", { name: "POST /v3/chats" })).toBeVisible();
  await expect(page.getByText("Write numbers with a leading +")).toBeVisible();
  await expect(page.getByRole("region", { name: "Request" })).toContainText('"5550100"');
  await expect(page.getByRole("region", { name: "Response" })).toContainText(traceId);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain(`curl -X POST '${firstRun().base_url}/v3/chats'`);
  expect(curl).toContain('-H "Authorization: Bearer $TRUNKLINE_TOKEN"');
  expect(curl).toContain(String.raw`it'\''s refused`);
});

test("the log is narrowed by choices that the address keeps", async ({ page }) => {
  const traceId = await refusedSend();
  const { chatId } = await newPhone();
  await send(chatId, "accepted");
  await openUntilLogged(page, "/requests", rows(page).filter({ hasText: chatId }));

  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "4xx rejected" }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(rows(page).filter({ hasText: chatId })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Error code" }).click();
  await page.getByRole("option", { name: "1002" }).click();
  await expect(page).toHaveURL(/status=4xx&code=1002/);

  await page.reload();
  await expect(page.getByRole("combobox", { name: "Error code" })).toContainText("1002");
  await page.getByRole("searchbox").fill(traceId);
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("searchbox").fill(`/v3/chats/${chatId}/messages`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("No requests match these filters")).toBeVisible();
  await page.getByRole("searchbox").fill("typed, not applied");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page).toHaveURL(/\/requests$/);
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(rows(page).first()).toBeVisible();
});

test("the list keeps what a person types and chooses while it loads", async ({ page }) => {
  await page.goto("/requests?since=range");
  const loading = Promise.withResolvers<void>();
  await page.route(/\/requests\?.*_rsc=/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  const search = page.getByRole("searchbox");
  await search.fill("first");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" and more");
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "4xx rejected" }).click();
  await expect(page.getByRole("combobox", { name: "Status" })).toContainText("4xx rejected");
  await page.getByLabel("From", { exact: true }).fill("2026-01-02 03:04 UTC");
  await page.getByLabel("To", { exact: true }).fill("2099-01-02 03:04 UTC");
  await search.focus();
  loading.resolve();

  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({
      since: "range",
      q: "first",
      status: "4xx",
      from: "2026-01-02T03:04:00.000Z",
      to: "2099-01-02T03:04:00.000Z",
    });
  await expect(page.getByText("These filters are not valid")).toBeVisible();
  await expect(search).toHaveValue("first and more");
  await expect(search).toBeFocused();
  await expect(page.getByLabel("From", { exact: true })).toHaveAttribute("title", "2 Jan 2026, 03:04:00 UTC");
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(page).not.toHaveURL(/q=/);
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("");
});

test("a path in the search goes to the filter of endpoints, and on a phone the filters stay open", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/requests");
  const search = page.getByRole("searchbox");
  await search.fill(" /v3/chats ");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?path=/);
  await expect(search).toHaveValue("");
  await page.getByRole("button", { name: "Filters (1)" }).click();
  await page.getByRole("combobox", { name: "Method" }).click();
  await page.getByRole("option", { name: "POST" }).click();
  await expect(page).toHaveURL(/method=POST/);
  await expect(page.getByRole("combobox", { name: "Method" })).toBeFocused();
});

test("a message's request leads to its chat and its events, and is empty once the message is deleted", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  const { body } = await send(chatId, "soon gone");
  await openUntilLogged(page, `/requests?q=${body.message.id}`, rows(page).first());
  await rows(page).getByRole("link").click();
  await expect(page.getByRole("region", { name: "Request" })).toContainText("soon gone");
  await expect(page.getByRole("region", { name: "Events of this trace" })).toContainText("message.sent");
  await expect(page.getByRole("link", { name: "Open chat" })).toHaveAttribute("href", `/chats/${chatId}`);

  await sendRequest(`DELETE /v3/messages/${body.message.id}`);
  await page.reload();

  await expect(page.getByText("was deleted together with its message")).toHaveCount(2);
  await expect(page.locator("body")).not.toContainText("soon gone");
});

test("older requests come on demand", async ({ page }) => {
  await Promise.all(Array.from({ length: 60 }, () => sendRequest("GET /v3/phone_numbers?paged")));
  const older = page.getByRole("button", { name: "Load older requests" });

  // Requests are logged in batches, soon after they are answered.
  await expect(async () => {
    await openUntilLogged(page, "/requests?path=/v3/phone_numbers", older);
    await expect(rows(page)).toHaveCount(50);
    await older.click();
    await expect(rows(page).nth(59)).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
});

test("errors are grouped by code with their fix, and lead to their requests", async ({ page }) => {
  await refusedSend();
  const group = page.getByRole("article").filter({ hasText: "Phone number must be in E.164" });
  await openUntilLogged(page, "/requests/errors", group);
  await expect(group).toContainText("Write numbers with a leading +");
  await page.getByRole("link", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL(/since=7d/);

  await group.getByRole("link", { name: "Show requests" }).click();

  await expect(page).toHaveURL(/\/requests\?code=1002&since=7d/);
  await expect(rows(page).first()).toContainText("1002");
});

test("a person searches and opens a request with the keyboard alone", async ({ page }) => {
  const traceId = await refusedSend();
  await openUntilLogged(page, `/requests?q=${traceId}`, rows(page).first());
  await page.goto("/requests");
  await page.getByRole("searchbox").focus();
  await page.keyboard.type(traceId);
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  const link = rows(page).getByRole("link");
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    if (await link.evaluate((element) => element === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "POST /v3/chats" })).toBeVisible();
});

test("axe finds nothing in the filtered log and a refused request, and nothing scrolls sideways", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  await send(chatId, "for the eye ".repeat(900));
  const traceId = await refusedSend();
  await openUntilLogged(page, `/requests?q=${traceId}`, rows(page).first());
  const refused = await rows(page).getByRole("link").getAttribute("href");
  const pages = ["/requests?since=range&status=4xx", "/requests?line=1"];
  await expectPagesAccessible(page, [...pages, refused ?? ""]);
});
