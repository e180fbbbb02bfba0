import { startReceiver } from "../lib/testing/servers/start-receiver";
import { createAccount } from "./as-admin";
import { invite, PASSWORD, signInInvited } from "./invited-user";
import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

test("a viewer sets a password by the one-time link, reads, and is offered nothing else", async ({
  browser,
}) => {
  const { link } = invite("viewer");
  const { chatId } = await newPhone();
  const page = await (await browser.newContext({ storageState: undefined })).newPage();

  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(`${PASSWORD}!`);
  await expect(page.getByText("The passwords don't match.")).toBeVisible();
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();

  const pages = page.getByRole("navigation", { name: "Main" });
  await expect(pages.getByRole("link", { name: "Webhooks" })).toBeVisible();
  await expect(pages.getByRole("link", { name: "API tokens" })).toHaveCount(0);
  await page.goto("/tokens");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "Sign-in and sessions" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByLabel("Message", { exact: true })).toBeDisabled();
  await expect(page.getByText("Your role can read messages but not send them.")).toBeVisible();
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
  await createAccount(page, name, "production");
  await page.goto("/chats");
  await page.getByRole("button", { name: /Switch account/ }).click();
  await page.getByRole("menuitem", { name: new RegExp(name) }).click();

  await expect(page.getByRole("button", { name: /Switch account/ })).toContainText(name);
  await expect(page.getByText("No chats yet")).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("0 of 5 done")).toBeVisible();
  await expect(page.getByText("No lines yet", { exact: true })).toBeVisible();
  await page.goto("/tokens");
  await expect(page.getByText("No tokens yet")).toBeVisible();
  await page.goto("/events");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByText("message.")).toHaveCount(0);
});

test("a support user sees webhooks and why nothing can be changed, and can change nothing", async ({
  browser,
}) => {
  const receiver = await startReceiver();
  const { body: subscription } = await sendRequest("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  const page = await signInInvited(browser, "support");

  await page.goto("/webhooks");
  await expect(page.getByRole("link", { name: receiver.url })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add endpoint" })).toHaveCount(0);
  for (const path of ["", "/statistics", "/replays"]) {
    await page.goto(`/webhooks/${subscription.id}${path}`);
    await expect(page.getByText("Your role can view webhooks.")).toBeVisible();
    await expect(
      page.getByRole("button", { name: /Pause|Edit|Rate limit|Rotate|Delete|Send test|Replay/ }),
    ).toHaveCount(0);
  }
  const forced = await page.request.post(`/api/webhooks/${subscription.id}/replays`, {
    data: { filter: { statuses: ["delivered"] } },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(forced.status()).toBe(403);

  await page.goto("/events");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("list", { name: "Events" }).getByRole("button").first().click();
  await expect(page.getByRole("heading", { name: "Payload" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test" })).toHaveCount(0);
  await page.context().close();
  await receiver.close();
});
