import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { firstRun } from "./test-instance";

async function call(method: string, path: string, body?: object) {
  const { base_url, token } = firstRun();
  const response = await fetch(`${base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

function request(more: object = {}) {
  const body = { amount: 4250, currency: "usd", description: "Dinner for two", ...more };
  return call("POST", "/v3/payment_requests", body);
}

async function statusOf(id: string): Promise<string> {
  return (await call("GET", `/v3/payment_requests/${id}`)).status;
}

test("a payer is declined, then pays, and axe finds nothing on any page", async ({ page }) => {
  const { id, checkout_url } = await request();
  await page.goto(checkout_url);
  await expect(page.getByText("no money moves")).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^\d\d:\d\d:\d\d$/);
  await expectAccessible(page);
  await page.getByLabel("Card is declined").check();
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("alert")).toContainText("You have not been charged");
  await expectAccessible(page);
  await page.getByLabel("Payment succeeds").check();
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();
  await expectAccessible(page);
  expect(await statusOf(id)).toBe("succeeded");
});

test("with the keyboard alone a payer takes the second step", async ({ page }) => {
  const { id, checkout_url } = await request();
  await page.goto(checkout_url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Confirm your payment" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();
  expect(await statusOf(id)).toBe("succeeded");
});

test("without script a payer pays", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { id, checkout_url } = await request();
  await page.goto(checkout_url);
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();
  expect(await statusOf(id)).toBe("succeeded");
  await context.close();
});

test("a link that expires while the page is open says so", async ({ page }) => {
  const { id, checkout_url } = await request({ expires_at: new Date(Date.now() + 30_000).toISOString() });
  await page.goto(checkout_url);
  await expect(page.getByRole("button", { name: "Pay $42.50" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible({ timeout: 75_000 });
  await expectAccessible(page);
  expect(await statusOf(id)).toBe("expired");
});

test("a request that is canceled while the payer is in the second step cannot be paid", async ({ page }) => {
  const { id, checkout_url } = await request();
  await page.goto(checkout_url);
  await page.getByLabel("Card requires authentication").check();
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("heading", { name: "Confirm your payment" })).toBeVisible();
  await call("POST", `/v3/payment_requests/${id}/cancel`);
  await expect(page.getByRole("heading", { name: "This payment request was canceled" })).toBeVisible();
  await expectAccessible(page);
  expect(await statusOf(id)).toBe("canceled");
});

test("a payment that takes a moment is shown as such, and then as paid", async ({ page }) => {
  const { checkout_url } = await request();
  // The page reloads itself when the payment is done: not while axe reads it.
  const read = Promise.withResolvers<void>();
  await page.route("**/state", async (route) => {
    await read.promise;
    await route.continue();
  });
  await page.goto(checkout_url);
  await page.getByLabel("Payment is processed with a delay").check();
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("heading", { name: "Your payment is being processed" })).toBeVisible();
  await expectAccessible(page);
  read.resolve();
  await expect(page.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible({
    timeout: 40_000,
  });
});

test("the page loads less than 40 kB and nothing from another host", async ({ page }) => {
  const { checkout_url } = await request();
  const urls: string[] = [];
  let bytes = 0;
  page.on("response", async (response) => {
    urls.push(response.url());
    bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
  });
  await page.goto(checkout_url, { waitUntil: "networkidle" });
  const { origin } = new URL(checkout_url);
  expect(urls.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([]);
  // The size before compression; gzip only reduces it.
  expect(bytes).toBeLessThan(40_000);
});
