import { ask } from "./partner-program";
import { expect, test } from "./signed-in";

test("a token is generated, shown once, works, and stops when it is revoked", async ({ page }) => {
  const name = `Test ${Date.now()}`;
  await page.goto("/tokens");
  await page.getByRole("button", { name: "Generate token" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Generate", exact: true }).click();

  const token = (await page.getByTestId("new-token").textContent())?.trim() ?? "";
  await expect(page.getByText("It is not shown again")).toBeVisible();
  await expect(page.getByRole("dialog").locator("pre")).toContainText(`Bearer ${token}`);
  expect((await ask("GET /v3/phone_numbers", undefined, token)).status).toBe(200);

  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText(`…${token.slice(-4)}`.slice(1));
  await expect(page.locator("body")).not.toContainText(token);
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("just now", { timeout: 1000 });
    await expect(row).not.toContainText("Never", { timeout: 1000 });
  }).toPass({ timeout: 15_000 });

  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep it" }).click();
  await expect(row).toContainText("Active");
  await row.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toContainText("Revoked");
  expect((await ask("GET /v3/phone_numbers", undefined, token)).status).toBe(401);
});

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
