import type { Page } from "@playwright/test";
import { signInInvited } from "./invited-user";
import { newPhone, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** The keys are loaded after the page. */
const untilKeys = (page: Page) =>
  expect(page.getByText("Press ? for the keyboard shortcuts.")).toBeAttached();

const PHONE = { width: 390, height: 844 };

test("an agent on a phone replies, snoozes and closes, and the customer's next message opens the chat again", async ({
  browser,
}) => {
  const { handle, chatId } = await newPhone();
  await write(handle, firstRun().line, "Is table four free?");
  const page = await signInInvited(browser, "support");
  await page.setViewportSize(PHONE);
  await page.goto("/chats?view=needs_reply");
  const list = page.getByRole("navigation", { name: "Chats" });
  const row = list.getByRole("link", { name: handle });
  await expect(row).toBeVisible();
  expect((await list.getByRole("listitem").first().boundingBox())?.y).toBeLessThanOrEqual(160);

  // Reply.
  await row.click();
  await page.getByLabel("Message", { exact: true }).fill("It is yours.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("article").filter({ hasText: "It is yours." })).toContainText("Delivered");

  // Snooze.
  await page.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("button", { name: /^Tomorrow morning/ }).click();
  await expect(page.getByText("Snoozed until")).toBeVisible();
  await page.goto("/chats?view=snoozed");
  await expect(row).toContainText("Snoozed");

  // Close.
  await row.click();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await page.goto("/chats?view=closed");
  await expect(row).toContainText("Closed");

  // The customer writes.
  await write(handle, firstRun().line, "And table five?");
  await expect(row).toHaveCount(0);
  await page.goto(`/chats/${chatId}?view=needs_reply`);
  await expect(page.getByRole("button", { name: "Close", exact: true })).toBeVisible();
  await page.context().close();
});

test("a supervisor works the inbox by keyboard alone: moves, replies, closes, selects, snoozes, assigns", async ({
  browser,
}) => {
  const page = await signInInvited(browser, "support");
  const phones: { handle: string; chatId: string }[] = [];
  for (const text of ["first", "second", "third", "fourth"]) {
    const phone = await newPhone();
    await write(phone.handle, firstRun().line, text);
    phones.unshift(phone);
    await page.goto(`/chats/${phone.chatId}`);
    await untilKeys(page);
    await page.keyboard.press("a");
    await expect(
      page.getByRole("dialog", { name: "Assign chat" }).getByRole("option", { name: "Me", exact: true }),
    ).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 chat assigned")).toBeVisible();
  }
  const [fourth = "", third = "", second = "", first = ""] = phones.map(({ handle }) => handle);
  await page.goto("/chats?view=mine");
  const list = page.getByRole("navigation", { name: "Chats" });
  const row = (handle: string) => list.getByRole("link", { name: handle });
  await expect(list.getByRole("listitem")).toHaveCount(4);
  await expect(list.getByRole("button", { name: "Mine 4" })).toBeVisible();
  await untilKeys(page);

  // Move and open.
  await page.keyboard.press("j");
  await expect(row(fourth)).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(third)).toBeFocused();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(third);
  await page.keyboard.press("k");
  await expect(heading).toContainText(fourth);

  // Reply: letters in the field are text.
  await page.keyboard.press("r");
  const field = page.getByLabel("Message", { exact: true });
  await expect(field).toBeFocused();
  await page.keyboard.type("jekas? xr");
  await expect(field).toHaveText("jekas? xr");
  await expect(heading).toContainText(fourth);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article").filter({ hasText: "jekas? xr" })).toContainText("Delivered");
  await page.keyboard.press("Tab");

  // The list of keys.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText(
    "Close or snooze chats",
  );
  await page.keyboard.press("Escape");

  // Close, before the page of the next chat is there: that chat is closed, and the one after it comes.
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(page.getByText("1 chat closed")).toBeVisible();
  await expect(heading).toContainText(second);
  await expect(row(third)).toHaveCount(0);

  // Select two and snooze them.
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  await expect(heading).toContainText(first);
  const bar = page.getByRole("toolbar", { name: "Selected chats" });
  await expect(bar).toContainText("2 selected");
  await page.keyboard.press("s");
  await expect(page.getByRole("dialog", { name: "Snooze 2 chats" }).locator("button:focus")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 chats snoozed")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(list.getByRole("listitem")).toHaveCount(1);

  // Assign.
  await page.keyboard.press("k");
  await expect(heading).toContainText(fourth);
  await page.keyboard.press("a");
  await page.keyboard.type("no one");
  await expect(
    page.getByRole("dialog", { name: "Assign chat" }).getByRole("option", { name: "No one" }),
  ).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 chat no longer assigned to a person")).toBeVisible();
  await expect(list.getByText("No chats match this search")).toBeVisible();
  await page.context().close();
});
