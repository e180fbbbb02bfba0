import type { Page } from "@playwright/test";
import { connect, createAgentPayment } from "./agent-customer";
import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

async function requestPayment(page: Page, description: string): Promise<void> {
  await page.goto("/payments");
  await page.getByRole("button", { name: "New payment request" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("42.50");
  await dialog.getByLabel("Description").fill(description);
  await dialog.getByRole("button", { name: "Create request" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("42.50");
}

async function sendTo(page: Page, handle: string): Promise<void> {
  await page.getByRole("button", { name: "Send to a chat" }).click();
  await page.getByLabel("Find a chat by phone number or email").fill(handle);
  await page.getByLabel(handle).check();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText(/^Sent to \+/)).toBeVisible();
}

test("an admin makes a payment request, finds it in the list and cancels it", async ({ page }) => {
  const description = `Dinner for two, ${Date.now()}`;
  await requestPayment(page, description);

  await page.goto("/payments");
  await page.getByRole("row").filter({ hasText: description }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Cancel request" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel request" }).click();
  await expect(page.getByText("Payment request canceled")).toBeVisible();

  const id = new URL(page.url()).searchParams.get("open");
  const { body } = await sendRequest(`GET /v3/payment_requests/${id}`);
  expect(body.status).toBe("canceled");
});

test("a request that is paid in a chat shows as paid in the list, on its page and on its card, without a reload", async ({
  page,
  context,
}) => {
  const { chatId, handle } = await newPhone();
  const description = `Lunch, ${Date.now()}`;
  await requestPayment(page, description);
  await sendTo(page, handle);
  const [list, thread, checkout] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ];
  await list.goto(`/payments?q=${encodeURIComponent(description)}`);
  const row = list.getByRole("row").filter({ hasText: description });
  await expect(row).toContainText("Requested");
  await thread.goto(`/chats/${chatId}`);
  await expect(thread.getByText(description).first()).toBeVisible();

  const link = page.getByLabel("Link for the customer").getByRole("link", { name: "Open" });
  await checkout.goto((await link.getAttribute("href")) ?? "");
  await checkout.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(checkout.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();

  await list.bringToFront();
  await expect(row).toContainText("Paid");
  await page.bringToFront();
  await expect(page.getByLabel("Timeline").getByText("Paid", { exact: true })).toBeVisible();
  await thread.bringToFront();
  await expect(thread.getByText("Paid", { exact: true }).first()).toBeVisible({ timeout: 20_000 });
});

test("an agent payment shows whom it waits for and is canceled; the customer's consent is revoked", async ({
  page,
}) => {
  const { handle } = await newPhone();
  await connect(handle);
  await createAgentPayment(handle);
  // The number can have spaces, as pages show it.
  await page.goto(`/agent-payments?handle=${encodeURIComponent(handle.replace(/^\+1(\d{3})/, "+1 $1 "))}`);
  const row = page.getByRole("row").filter({ hasText: handle });
  await expect(row).toContainText("Customer");
  await row.getByRole("link").first().click();
  await expect(page.getByText("Waiting for: Customer")).toBeVisible();
  await page.getByRole("button", { name: "Cancel payment" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel payment" }).click();
  await expect(page.getByText(/^Canceled on /)).toBeVisible();

  await page.getByRole("link", { name: handle }).click();
  await expect(page.getByRole("heading", { level: 1, name: handle })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Dinner for two" })).toContainText("Canceled");
  await page.getByRole("button", { name: `Revoke ${handle}` }).click();
  await page.getByRole("button", { name: "Revoke consent" }).click();
  await expect(page.getByText(`The consent of ${handle} was revoked`)).toBeVisible();
  await expect(page.getByRole("button", { name: `Revoke ${handle}` })).toBeHidden();
  expect((await sendRequest(`GET /v3/payments/handles/${handle}/connection`)).body.status).toBe("revoked");
});

test("a logo is uploaded and payers see it; limits are kept in a currency's own units", async ({ page }) => {
  await page.goto("/payments/settings");
  await page.getByLabel("Logo", { exact: true }).setInputFiles("docs/images/timeline.webp");
  await page.getByRole("button", { name: "Use image" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Checkout branding saved")).toBeVisible();
  const { body } = await sendRequest("POST /v3/payment_requests", { amount: 1250, currency: "usd" });
  const checkout = await page.context().newPage();
  await checkout.goto(body.checkout_url);
  const isShown = () =>
    checkout
      .locator("img.logo")
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0);
  await expect.poll(isShown).toBe(true);
  await checkout.close();
  await page.getByRole("button", { name: "Remove image" }).click();
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  expect((await (await saved).json()).logo_url).toBeNull();

  await page.goto("/agent-payments/limits");
  await page.getByLabel("Add a currency").click();
  await page.getByRole("option", { name: "JPY" }).click();
  const yen = page.getByRole("group", { name: "JPY" });
  await yen.getByLabel("Per-payment limit").fill("50.5");
  await expect(yen.getByText("Enter a whole amount, for example 5000.")).toBeVisible();
  await yen.getByLabel("Per-payment limit").fill("50000");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Limits saved")).toBeVisible();
  await page.reload();
  await expect(yen.getByLabel("Per-payment limit")).toHaveValue("50000");
});

test("a link card is previewed and sent to a chat", async ({ page }) => {
  const { chatId, handle } = await newPhone();
  await page.goto("/experiences?action=link%2Fopen");
  const send = page.getByRole("button", { name: "Send to a chat" });
  await page.getByLabel("URL", { exact: true }).fill("menu");
  await expect(page.getByText("URL must be an absolute https URL")).toBeVisible();
  await expect(send).toBeDisabled();
  await page.getByLabel("URL", { exact: true }).fill("https://menu.example/today");
  await page.getByLabel("Title", { exact: true }).fill("Menu of today");
  await expect(page.getByRole("figure", { name: "With the app" })).toContainText("Menu of today");

  await sendTo(page, handle);
  const { body } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(JSON.stringify(body)).toContain("Menu of today");
});
