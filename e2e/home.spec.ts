import type { Page } from "@playwright/test";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { asAdmin, createAccount } from "./as-admin";
import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** A new account of the demo's partner, in which no step is done, opened in the page. */
async function openNewAccount(page: Page): Promise<{ token: string; line: string }> {
  const account = await createAccount(page, `steps ${Date.now()}`, "sandbox");
  await asAdmin(page, "PUT /api/session/account", { account_id: account.id });
  const line = await asAdmin(page, "POST /api/lines/simulated", { kind: "healthy" });
  const { token } = await asAdmin(page, "POST /api/tokens", { name: "steps" });
  await page.goto("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  return { token, line: line.phone_number };
}

test("the first steps turn green as they happen, and their snippets hold this instance's address and the account's line", async ({
  page,
}) => {
  const { token, line } = await openNewAccount(page);
  const steps = page.getByRole("region", { name: "First steps" });
  const step = (name: string) => steps.getByRole("heading", { name });
  await expect(step("Generate an API token")).toContainText("Done");
  for (const language of ["curl", "TypeScript", "Python", "Go"]) {
    await steps.getByRole("tab", { name: language }).click();
    const code = steps.getByRole("tabpanel", { name: language });
    for (const part of [firstRun().base_url, line, "TRUNKLINE_TOKEN"]) await expect(code).toContainText(part);
  }

  const phone = `+1558${String(Date.now() % 10_000_000).padStart(7, "0")}`;
  const say = (text: string) =>
    sendRequest(`POST /simulator/phones/${phone}/messages`, { to: line, text }, token);
  await sendRequest("POST /simulator/phones", { handle: phone }, token);
  const { body: said } = await say("hello");
  await sendRequest(
    `POST /v3/chats/${said.chat_id}/messages`,
    { message: { parts: [{ type: "text", value: "step two" }] } },
    token,
  );
  await expect(step("Send your first message")).toContainText("Done");
  await say("step three");
  await expect(step("Receive a reply")).toContainText("Done");

  const receiver = await startReceiver();
  const subscription = { target_url: receiver.url, subscribed_events: ["message.received"] };
  await sendRequest("POST /v3/webhook-subscriptions", subscription, token);
  await expect(step("Add a webhook endpoint")).toContainText("Done");
  await say("step five");
  await expect(step("Receive a webhook")).toContainText("Done");
  await expect(steps.getByRole("status")).toHaveText("5 of 5 done");
  await receiver.close();

  await page.reload();
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("the range and the time zone of the figures are part of the address, and each chart has a table", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("combobox", { name: "Range" }).click();
  await page.getByRole("option", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL(/\?range=7d$/);
  await page.getByRole("combobox", { name: "Time zone" }).click();
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await expect(page).toHaveURL(/\?range=7d&zone=Asia%2FTokyo$/);

  await page.reload();
  await expect(page.getByRole("combobox", { name: "Range" })).toHaveText("Last 7 days");
  const figure = page.getByRole("region", { name: "Messages sent" });
  await figure.getByText("Table").click();
  await expect(figure.getByRole("row")).toHaveCount(29);
});

test("the command palette opens with the keyboard, finds pages and people, and lists what was opened", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/");
  // The page is interactive once its event stream is open.
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("events");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Events" })).toBeVisible();

  // No page matches the number, so the selection waits for the results.
  await page.keyboard.press("Control+k");
  await page.keyboard.type(handle.slice(1));
  const customer = page.getByRole("option", { name: `${handle} Customer` });
  await expect(customer).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/customers/${encodeURIComponent(handle)}`);

  await page.keyboard.press("Control+k");
  await page.keyboard.type(chatId);
  await expect(page.getByRole("option", { name: `${handle} Chat` })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/chats/${chatId}`);
  await expect(page.getByRole("heading", { name: handle })).toBeVisible();

  await page.keyboard.press("Control+k");
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  await expect(recent).toHaveText([/Chat/, /Customer/, /Events/]);
  await recent.nth(2).click();
  await expect(page.getByRole("heading", { name: "Events" })).toBeVisible();
});

test("the question mark lists the keyboard shortcuts", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("Shift+?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts).toContainText("Search or jump to");
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();
});

test("an admin who compares two lines sorts by failures, filters the charts and opens the worse one", async ({
  page,
}) => {
  const account = await createAccount(page, `lines ${Date.now()}`, "sandbox");
  await asAdmin(page, "PUT /api/session/account", { account_id: account.id });
  const { token } = await asAdmin(page, "POST /api/tokens", { name: "lines" });
  const [good, bad] = await Promise.all([
    addLineWithSends(page, token, ["none", "none"]),
    addLineWithSends(page, token, ["none", "rejected"]),
  ]);
  await expect
    .poll(async () => {
      const { lines } = await (await page.request.get("/api/home/lines")).json();
      return lines.map(({ total }: { total: Counts }) => `${total.delivered} ${total.failed}`).toSorted();
    })
    .toEqual(["12 0", "6 6"]);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  // The charts stand above the fold on a desktop, and the figures on a phone.
  for (const name of ["Messages sent", "Messages received", "Delivery rate"]) {
    await expect(page.getByRole("region", { name })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const title of ["Messages sent", "Time to delivered", "Opt-outs"]) {
    await expect(page.getByRole("link", { name: title })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const table = page.getByRole("table", { name: "By line" });
  const rows = table.getByRole("row");
  const failed = table.getByRole("columnheader", { name: "Failed" });
  await failed.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(failed).toHaveAttribute("aria-sort", "descending");
  await expect(rows.nth(1).getByRole("rowheader")).toHaveText(bad.phone_number);
  await expect(rows.nth(1)).toContainText("50%");
  await expect(rows.nth(2)).toContainText("100%");
  await failed.getByRole("button").click();
  await expect(failed).toHaveAttribute("aria-sort", "ascending");
  await expect(rows.nth(1).getByRole("rowheader")).toHaveText(good.phone_number);

  await page.getByRole("combobox", { name: "Line" }).click();
  await page.getByRole("option", { name: bad.phone_number }).click();
  await expect(page).toHaveURL(/\?line=[\da-f-]{36}$/);
  const rate = page.getByRole("region", { name: "Delivery rate" });
  await expect(rate).toContainText("50%");
  await expect(page.getByRole("region", { name: "Payments" })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Line" })).toHaveText(bad.phone_number);
  await expect(rate).toContainText("50%");

  await table.getByRole("link", { name: bad.phone_number }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(bad.phone_number);
});

type Counts = { delivered: number; failed: number };

/** A new line of the account with six sends to a phone of each fault. */
async function addLineWithSends(page: Page, token: string, faults: readonly string[]) {
  const line = await asAdmin(page, "POST /api/lines/simulated", { kind: "healthy" });
  for (const fault of faults) {
    const handle = `+1557${line.phone_number.slice(-4)}${String(Date.now() % 1000).padStart(3, "0")}`;
    await sendRequest("POST /simulator/phones", { handle, ...(fault !== "none" && { fault }) }, token);
    const said = await sendRequest(
      `POST /simulator/phones/${handle}/messages`,
      { to: line.phone_number, text: "hello" },
      token,
    );
    for (let sent = 0; sent < 6; sent++) {
      await sendRequest(
        `POST /v3/chats/${said.body.chat_id}/messages`,
        { message: { parts: [{ type: "text", value: `message ${sent}` }] } },
        token,
      );
    }
  }
  return line;
}
