import type { Page } from "@playwright/test";
import { sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

test("a token is generated, shown once, works, and stops when it is revoked", async ({ page }) => {
  const name = `Test ${Date.now()}`;
  await page.goto("/tokens");
  await page.getByRole("button", { name: "Generate token" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Generate", exact: true }).click();

  const token = (await page.getByTestId("new-token").textContent())?.trim() ?? "";
  await expect(page.getByText("The token is not shown again")).toBeVisible();
  await expect(page.getByRole("dialog").locator("pre")).toContainText(`Bearer ${token}`);
  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(200);

  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText(`…${token.slice(-4)}`.slice(1));
  await expect(page.locator("body")).not.toContainText(token);
  await expect(async () => {
    await page.reload();
    await expect(row).not.toContainText("Never", { timeout: 1000 });
  }).toPass({ timeout: 60_000 });

  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep token" }).click();
  await expect(row).toContainText("Active");
  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("Revoked");
  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(401);
});

test("a token's name, scopes and expiry are edited, and its address list locks it out", async ({ page }) => {
  const name = `Edited ${Date.now()}`;
  const token = await generate(page, name);
  expect((await sendRequest("GET /v3/webhook-subscriptions", undefined, token)).status).toBe(200);

  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(`${name} twice`);
  await dialog.getByLabel("Expires").click();
  await page.getByRole("option", { name: "In 30 days" }).click();
  await dialog.getByLabel("Access").click();
  await page.getByRole("option", { name: "Restricted" }).click();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("Messaging").check();
  await dialog.getByLabel("Payments").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: `${name} twice` });
  await expect(row).toContainText("Messaging, Payments");
  await expect(row).not.toContainText("No expiry");
  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(200);
  expect((await sendRequest("GET /v3/webhook-subscriptions", undefined, token)).status).toBe(403);

  await row.getByRole("button", { name: /^Edit/ }).click();
  await expect(dialog.getByLabel("Expires")).toContainText("On ");
  await expect(dialog.getByLabel("Messaging")).toBeChecked();
  await dialog.getByLabel("Allowed IP addresses").fill("not an address");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The token was not changed");
  await dialog.getByLabel("Allowed IP addresses").fill("192.0.2.0/24, 2001:db8::1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("192.0.2.0/24, 2001:db8::1/128");
  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(403);
});

test("a rolled token and its successor both work during the overlap; without one the old token ends", async ({
  page,
}) => {
  const name = `Rolled ${Date.now()}`;
  const first = await generate(page, name);
  const second = await roll(page, name, "1 hour");
  for (const token of [first, second]) {
    expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(200);
  }
  const rows = page.getByRole("row").filter({ hasText: name });
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "No expiry" })).toContainText(second.slice(-4));

  await rows
    .filter({ hasText: first.slice(-4) })
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(rows.filter({ hasText: first.slice(-4) })).toContainText("Revoked");
  const third = await roll(page, name, "Revoke now");
  const statuses = [];
  for (const token of [first, second, third]) {
    statuses.push((await sendRequest("GET /v3/phone_numbers", undefined, token)).status);
  }
  expect(statuses).toEqual([401, 401, 200]);
});

async function generate(page: Page, name: string): Promise<string> {
  await page.goto("/tokens?generate");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  const token = (await page.getByTestId("new-token").textContent())?.trim() ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return token;
}

async function roll(page: Page, name: string, overlap: string): Promise<string> {
  await page.getByRole("button", { name: `Roll ${name}` }).click();
  await page.getByLabel("Keep the old token valid for").click();
  await page.getByRole("option", { name: overlap }).click();
  await page.getByRole("button", { name: "Roll token" }).click();
  const token = (await page.getByTestId("rolled-token").textContent())?.trim() ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  return token;
}

test("the curl beside a new token works when pasted", async ({ page }) => {
  await page.goto("/tokens?generate");
  await page.getByLabel("Name").fill("Pasted");
  await page.keyboard.press("Enter");
  const curl = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";

  const { spawnSync } = await import("node:child_process");
  const { stdout, status } = spawnSync("sh", ["-c", `${curl} -sS`], { encoding: "utf8" });

  expect(status).toBe(0);
  expect(JSON.parse(stdout).chat.message.delivery_status).toBe("pending");
});

test("a token that was not copied is not lost by Escape, a click outside or the close button", async ({
  page,
}) => {
  await page.goto("/tokens?generate");
  const dialog = page.getByRole("dialog").filter({ has: page.getByTestId("new-token") });
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Generate token" }).click();
  await page.getByLabel("Name").fill(`Uncopied ${Date.now()}`);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  const question = page.getByRole("alertdialog", { name: "Close without copying the token?" });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    await close();
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Go back" }).click();
    await expect(question).toHaveCount(0);
    await expect(dialog).toBeVisible();
  }

  await dialog.getByRole("button", { name: "Copy token", exact: true }).click();
  await expect(dialog.getByText("Copied", { exact: true })).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(question).toHaveCount(0);
});

test("a rolled token that was not copied is discarded only after a confirmation", async ({ page }) => {
  const name = `Discarded ${Date.now()}`;
  await generate(page, name);
  await page.getByRole("button", { name: `Roll ${name}` }).click();
  await page.getByRole("button", { name: "Roll token" }).click();
  await expect(page.getByTestId("rolled-token")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Close without copying" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(2);
});
