import { spawnSync } from "node:child_process";
import { newPhone } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun, TEST_DATA_DIR } from "./test-instance";

const PASSWORD = "correct horse battery staple";

function admin(...args: string[]): string {
  const { stdout } = spawnSync(process.execPath, ["scripts/admin.mjs", ...args], {
    encoding: "utf8",
    env: { ...process.env, DATA_DIR: TEST_DATA_DIR, DATABASE_URL: "", BASE_URL: firstRun().base_url },
  });
  return stdout;
}

function demoPartner(): string {
  return /([0-9a-f-]{36})\s+Demo/.exec(admin("list"))?.[1] ?? "";
}

test("a viewer sets a password by the one-time link, reads, and is offered nothing else", async ({
  browser,
}) => {
  const email = `viewer.${Date.now()}@example.com`;
  const invited = admin(
    "create-user",
    "--partner",
    demoPartner(),
    "--email",
    email,
    "--name",
    "Vi",
    "--role",
    "viewer",
  );
  const link = /https?:\/\/\S+\/welcome\/\S+/.exec(invited)?.[0] ?? "";
  const { chatId } = await newPhone();
  const page = await (await browser.newContext({ storageState: undefined })).newPage();

  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(`${PASSWORD}!`);
  await expect(page.getByText("The two are not the same.")).toBeVisible();
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  await page.goto("/tokens");
  await expect(page.getByRole("cell", { name: "First token" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Generate|Revoke/ })).toHaveCount(0);
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByLabel("Message", { exact: true })).toBeDisabled();
  await expect(page.getByText("Your role can read messages but not send any.")).toBeVisible();
  const forced = await page.request.post("/api/tokens", {
    data: { name: "forced" },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(forced.status()).toBe(403);

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.context().close();
});

test("switching the account shows the other one everywhere, and is remembered", async ({ page }) => {
  const name = `live ${Date.now()}`;
  admin("create-account", "--partner", demoPartner(), "--name", name, "--type", "production");
  await page.goto("/chats");
  await page.getByRole("button", { name: /Switch account/ }).click();
  await page.getByRole("menuitem", { name: new RegExp(name) }).click();

  await expect(page.getByRole("button", { name: /Switch account/ })).toContainText(name);
  await expect(page.getByText("No chats yet")).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("0 of 5 done")).toBeVisible();
  await expect(page.getByText("No line yet", { exact: true })).toBeVisible();
  await page.goto("/tokens");
  await expect(page.getByText("No token yet")).toBeVisible();
  await page.goto("/events");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByText("message.")).toHaveCount(0);
});
