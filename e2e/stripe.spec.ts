import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun, workerInstance } from "./test-instance";

let opened: string | null = null;

// Resets the demo account to the sandbox processor, even after a failed test.
test.afterEach(async ({ page }) => {
  const headers = { origin: firstRun().base_url };
  // The processor can't be disconnected while a payer could still pay an open checkout.
  if (opened !== null) await sendRequest(`POST /v3/payment_requests/${opened}/cancel`);
  await page.request.delete("/api/processors/stripe/connect", { headers });
  await page.request.delete("/api/agent-payments/providers/stripe_issuing", { headers });
});

/** Routes a page's requests for Stripe's script and API to the fake Stripe. */
async function interceptStripe(page: Page): Promise<void> {
  await page.route("https://js.stripe.com/**", async (route) => {
    const script = await fetch(`${workerInstance().fakeStripeUrl}/stripe.js`);
    await route.fulfill({ contentType: "text/javascript", body: await script.text() });
  });
  await page.route("https://api.stripe.com/confirm", async (route) => {
    const body = route.request().postData() ?? "";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(`${workerInstance().fakeStripeUrl}/confirm`, {
      method: "POST",
      headers,
      body,
    });
    await route.fulfill({
      json: await answer.json(),
      headers: { "access-control-allow-origin": "*" },
    });
  });
}

test("an admin connects Stripe; a payer's card is declined, then succeeds, and the timeline shows both, then a refund and a dispute", async ({
  page,
}) => {
  await page.goto("/payments/settings");
  await page.getByRole("button", { name: "Connect Stripe" }).click();
  // The settings page has a button of that name too: Stripe Issuing's.
  await page.waitForURL(/\/oauth\/authorize/);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page).toHaveURL(/payments\/settings\?connected=ready/);
  await expect(page.getByText("Paid through Stripe")).toBeVisible();

  const { body } = await sendRequest("POST /v3/payment_requests", { amount: 4250, currency: "usd" });
  opened = body.id;
  await interceptStripe(page);
  await page.goto(body.checkout_url);
  await page.getByLabel("Card").selectOption("declined");
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("alert")).toContainText("Your card was declined.");
  await page.getByLabel("Card").selectOption("succeeds");
  await page.getByRole("button", { name: "Pay $42.50" }).click();
  await expect(page.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();

  await page.goto(`/payments/${body.id}`);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("Declined: insufficient funds")).toBeVisible();
  await expect(timeline.getByText("Paid", { exact: true })).toBeVisible();

  await fetch(`${workerInstance().fakeStripeUrl}/reversals`, { method: "POST" });
  await page.reload();
  const reversals = page.getByRole("region", { name: "Refunds and disputes" });
  await expect(reversals.getByText("Refund of $10.00")).toBeVisible();
  await expect(reversals.getByText("Dispute of $42.50")).toBeVisible();
  await expectAccessible(page);
});

test("an admin who declines at Stripe returns to an error message on the settings page, not to JSON", async ({
  page,
}) => {
  await page.goto("/api/processors/stripe/callback?error=access_denied&state=unused");
  await expect(page).toHaveURL(/payments\/settings\?connected=refused/);
  await expect(page.getByRole("alert").getByText("The connection was declined at Stripe")).toBeVisible();
});

test("an admin completes the Stripe Issuing onboarding and returns to a ready card provider", async ({
  page,
}) => {
  await page.goto("/payments/settings");
  const provider = page.getByRole("region", { name: "Card provider: Stripe Issuing" });
  await provider.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page).toHaveURL(/payments\/settings\?.*status=ready/);
  await expect(provider.getByText("Ready", { exact: true })).toBeVisible();
});
