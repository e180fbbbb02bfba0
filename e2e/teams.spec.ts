import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { invite, PASSWORD } from "./invited-user";
import { newPhone, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";
import { loadUntilHydrated } from "./until-hydrated";

const DESKTOP = { width: 1280, height: 800 };

/** The keys are loaded after the page. */
const untilKeys = (page: Page) =>
  expect(page.getByText("Press ? for the keyboard shortcuts.")).toBeAttached();

/** The bar above the messages has one line of controls. */
async function expectOneLine(page: Page): Promise<void> {
  const bar = page.getByRole("region", { name: "Assignment" });
  expect(await bar.evaluate((element) => element.clientHeight)).toBeLessThan(60);
}

/** A page of a new support agent, in the inbox. */
async function signInAgent(browser: Browser, name: string): Promise<Page> {
  const { link } = invite("support", name);
  const page = await (await browser.newContext({ storageState: undefined })).newPage();
  loadUntilHydrated(page);
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL((url) => url.pathname === "/chats");
  return page;
}

test("an admin makes a team of two and assigns a chat to it by keyboard, and a member finds and takes it, on a phone too", async ({
  page,
  browser,
}) => {
  const run = Date.now();
  const [ada, ben, team] = [`Ada ${run}`, `Ben ${run}`, `Billing ${run}`];
  invite("support", ben);
  const member = await signInAgent(browser, ada);
  const { handle, chatId } = await newPhone();
  await write(handle, firstRun().line, "Where is my invoice?");

  // A team of two.
  await page.goto("/settings/teams");
  await page.getByRole("button", { name: "Create team" }).click();
  const form = page.getByRole("dialog", { name: "Create a team" });
  await form.getByLabel("Name").fill(team);
  for (const name of [ada, ben]) await form.getByRole("checkbox", { name }).check();
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await form.getByRole("button", { name: "Save" }).click();
  const listed = page.getByRole("list", { name: "Teams" }).getByRole("listitem").filter({ hasText: team });
  await expect(listed).toContainText("2 members");
  await listed.getByRole("button", { name: `Edit ${team}` }).click();
  const edit = page.getByRole("dialog", { name: "Edit the team" });
  await expect(edit.getByRole("checkbox", { name: ada })).toBeChecked();
  await expect(edit.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await page.keyboard.press("Escape");

  // By keyboard.
  await page.goto(`/chats/${chatId}`);
  await untilKeys(page);
  await page.keyboard.press("a");
  const assign = page.getByRole("dialog", { name: "Assign chat" });
  await expect(assign.getByRole("option", { name: "Me", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(assign.getByRole("option", { name: team })).toBeAttached();
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);
  await page.keyboard.type(team);
  await expect(assign.getByRole("option", { name: team })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 chat assigned")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Team" })).toHaveText(team);
  await expect(page.getByText(`assigned this chat to the team ${team}`)).toBeVisible();
  const row = (of: Page) => of.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: handle });
  await expect(row(page)).toContainText(team);
  await page.goto("/chats?view=unassigned");
  await untilKeys(page);
  await expect(row(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByRole("dialog", { name: "Filters" }).getByRole("combobox", { name: "Team" }).click();
  await page.getByRole("option", { name: team }).click();
  await page.goto(`/chats?team=${new URL(page.url()).searchParams.get("team")}`);
  await expect(row(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "My teams" })).toHaveCount(0);

  // The bar above the messages has one line, from the server's first view on.
  await page.goto(`/chats/${chatId}`);
  const bar = page.getByRole("region", { name: "Assignment" });
  await expect(bar.getByRole("combobox", { name: "Team" })).toHaveText(team);
  await expectOneLine(page);
  const other = await newPhone();
  const html = await (await page.request.get(`/chats/${other.chatId}`)).text();
  expect(html).toContain('data-teams="true"');

  // The member gets a notice, finds the chat, and takes it.
  await member.goto("/notices");
  await expect(member.getByText(`Admin assigned a chat to ${team}`, { exact: true })).toBeVisible();
  await member.goto("/chats");
  await member.getByRole("button", { name: "My teams 1" }).click();
  await row(member).click();
  await member.waitForURL(/\/chats\/.+/);
  await untilKeys(member);
  await member.keyboard.press("a");
  await expect(member.getByRole("option", { name: "Me", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await member.keyboard.press("Enter");
  await expect(member.getByText("1 chat assigned")).toBeVisible();
  await expect(member.getByRole("combobox", { name: "Assigned to" })).toHaveText(ada);
  await expect(member.getByRole("combobox", { name: "Team" })).toHaveText(team);

  // On a phone.
  await member.setViewportSize({ width: 390, height: 844 });
  await member.goto("/chats?view=my_teams");
  await expect(row(member)).toContainText(team);
  await row(member).click();
  await expect(member.getByRole("combobox", { name: "Team" })).toHaveText(team);
  await expectOneLine(member);
  const width = await member.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  // Without the team, the chat stays with the person.
  await page.goto("/settings/teams");
  await listed.getByRole("button", { name: `Delete ${team}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(listed).toHaveCount(0);
  await member.reload();
  await expect(member.getByRole("combobox", { name: "Assigned to" })).toHaveText(ada);
  await expect(member.getByRole("combobox", { name: "Team" })).toHaveCount(0);
  await member.context().close();
});
