import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { ask, newPhone } from "./partner-program";
import { expect, test } from "./signed-in";

const PAGES = [
  ["/payments", "Payment requests"],
  ["/payments/settings", "Payment settings"],
  ["/agent-payments", "Agent payments"],
  ["/experiences", "Experiences"],
] as const;

async function expectClean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found).toEqual([]);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

test("an admin makes a payment request, finds it in the list and cancels it", async ({ page }) => {
  const description = `Dinner for two, ${Date.now()}`;
  await page.goto("/payments");
  await page.getByRole("button", { name: "New payment request" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount").fill("42.50");
  await dialog.getByLabel("Description").fill(description);
  await dialog.getByRole("button", { name: "Make the request" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("42.50");

  await page.goto("/payments");
  await page.getByRole("row").filter({ hasText: description }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Cancel request" }).click();
  await page.getByRole("button", { name: "Cancel the request" }).click();
  await expect(page.getByText("The payment request is canceled")).toBeVisible();

  const { pathname } = new URL(page.url());
  const { body } = await ask(`GET /v3/payment_requests/${pathname.split("/").at(-1)}`);
  expect(body.status).toBe("canceled");
});

test("a link card is tried out and sent into a chat", async ({ page }) => {
  const { chatId, handle } = await newPhone();
  await page.goto("/experiences?action=link%2Fopen");
  const send = page.getByRole("button", { name: "Send into a chat" });
  await page.getByLabel("url", { exact: true }).fill("menu");
  await expect(page.getByText("url must be an absolute https URL")).toBeVisible();
  await expect(send).toBeDisabled();
  await page.getByLabel("url", { exact: true }).fill("https://menu.example/today");
  await page.getByLabel("title", { exact: true }).fill("Menu of today");
  await expect(page.getByRole("figure", { name: "With the app" })).toContainText("Menu of today");

  await send.click();
  await page.getByLabel("Find a chat by number").fill(handle);
  await page.getByLabel(handle).check();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText(/^Sent to/)).toBeVisible();
  const { body } = await ask(`GET /v3/chats/${chatId}/messages`);
  expect(JSON.stringify(body)).toContain("Menu of today");
});

for (const width of [1280, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ colorScheme: "light", viewport: { width, height: 800 } });

    for (const [path, title] of PAGES) {
      test(`axe finds nothing on ${path}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
        await page.waitForLoadState("load");
        await expectClean(page);
      });
    }
  });
}
