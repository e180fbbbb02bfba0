import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { PASSWORD } from "./invited-user";
import { sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

const header = (page: Page) => page.getByRole("banner");
const statusOf = async (token: string) =>
  (await sendRequest("GET /v3/phone_numbers", undefined, token)).status;

async function createAndOpen(page: Page, name: string): Promise<void> {
  await page.goto("/settings/accounts");
  await page.getByRole("button", { name: "Create account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Environment").click();
  await page.getByRole("option", { name: "Production" }).click();
  await dialog.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(`${name} was created`)).toBeVisible();
  await page.getByRole("button", { name: `Open ${name}` }).click();
  await expect(header(page)).toContainText(name);
}

async function generate(page: Page, name: string): Promise<string> {
  await page.goto("/tokens?generate");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  const token = (await page.getByTestId("new-token").textContent())?.trim() ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return token;
}

async function inviteAgent(page: Page, email: string): Promise<string> {
  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Name", { exact: true }).fill("Ada Agent");
  await dialog.getByLabel("Role").click();
  await page.getByRole("option", { name: "Support" }).click();
  await dialog.getByRole("button", { name: "Invite person" }).click();
  const link = (await page.getByTestId("password-link").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return link;
}

test("an admin sets up a production account, invites an agent, rolls a token in use, and reads all of it in the audit log", async ({
  page,
  browser,
}) => {
  const name = `Live shop ${Date.now()}`;
  await createAndOpen(page, name);
  await expect(header(page).getByText("Production", { exact: true })).toBeVisible();
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /icon-production\.svg/);
  await page.goto("/settings/go-to-production");
  await expect(page.getByRole("listitem").filter({ hasText: "A production account" })).toContainText("Done");
  await expect(page.getByRole("listitem").filter({ hasText: "A healthy line" })).toContainText("To do");

  const email = `agent.${Date.now()}@example.com`;
  const link = await inviteAgent(page, email);
  const theirs = await (await browser.newContext({ storageState: undefined })).newPage();
  await theirs.goto(link);
  await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await theirs.getByLabel("Confirm password").fill(PASSWORD);
  await theirs.getByRole("button", { name: "Set password" }).click();
  // The new password signs in, and support starts in the inbox.
  await theirs.waitForURL((url) => url.pathname === "/chats");
  await theirs.context().close();

  const first = await generate(page, "Orders");
  expect(await statusOf(first)).toBe(200);
  await page.getByRole("button", { name: "Roll Orders" }).click();
  await page.getByLabel("Keep the old token valid for").click();
  await page.getByRole("option", { name: "1 hour" }).click();
  await page.getByRole("button", { name: "Roll token" }).click();
  const second = (await page.getByTestId("rolled-token").textContent())?.trim() ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

  await page
    .getByRole("row")
    .filter({ hasText: first.slice(-4) })
    .getByRole("button", { name: "Revoke Orders" })
    .click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation.getByRole("button", { name: "Revoke token" })).toBeDisabled();
  await confirmation.getByRole("textbox").fill(name);
  await confirmation.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);

  await page.goto("/settings/audit-log");
  for (const action of [
    "Account created",
    "User invited",
    "API token created",
    "API token rolled",
    "API token revoked",
  ]) {
    await expect(page.getByRole("row").filter({ hasText: action }).first()).toBeVisible();
  }
});

test("an archived account refuses its tokens and is read-only at every width, until it is restored", async ({
  page,
}) => {
  const name = `Old shop ${Date.now()}`;
  await createAndOpen(page, name);
  const token = await generate(page, "Archived");
  await page.goto("/settings/accounts");
  await page.getByRole("button", { name: `Archive ${name}` }).click();
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByRole("textbox").fill("another name");
  await expect(confirmation.getByRole("button", { name: "Archive account" })).toBeDisabled();
  await confirmation.getByRole("textbox").fill(name);
  await confirmation.getByRole("button", { name: "Archive account" }).click();

  const banner = page.getByRole("region", { name: "Archived account" });
  await expect(banner).toContainText("read-only");
  const refused = await sendRequest("GET /v3/phone_numbers", undefined, token);
  expect([refused.status, refused.body.error.code]).toEqual([403, 2005]);
  await page.goto("/tokens");
  await expect(page.getByRole("button", { name: "Generate token" })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(header(page).getByText("Production", { exact: true })).toBeVisible();
  await page.goto("/settings/accounts");
  await expectAccessible(page);

  await banner.getByRole("button", { name: `Restore ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore account" }).click();
  await expect(page.getByText(`${name} was restored`)).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  expect(await statusOf(token)).toBe(200);
});

test("the word, the color and the icon of the environment change with the account", async ({ page }) => {
  const name = `Brand ${Date.now()}`;
  await page.goto("/");
  await expect(header(page).getByText("Sandbox", { exact: true })).toBeVisible();
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /icon-sandbox\.svg/);
  const colorOf = () => header(page).evaluate((element) => getComputedStyle(element).borderTopColor);
  const sandboxColor = await colorOf();

  await createAndOpen(page, name);

  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /icon-production\.svg/);
  expect(await colorOf()).not.toBe(sandboxColor);
  await expectAccessible(page);
});
