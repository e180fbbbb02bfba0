import "@/lib/testing/use-test-database";

import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { STRIPE_SCRIPT } from "@/lib/payments/checkout/render-field";
import { finishConnection, startConnection } from "@/lib/payments/processors/connect-processor";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { paymentEvents, requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { serveApi } from "@/lib/testing/serve-api";
import { connectFakeStripe, seedFakeStripe, setStripeMode } from "@/lib/testing/stripe/connect-fake-stripe";
import { type FakeStripe, startFakeStripe } from "@/lib/testing/stripe/fake-stripe";
import { confirmPaymentField } from "@/lib/testing/stripe/fake-stripe-pages";
import { settleAtStripe } from "@/lib/testing/stripe/fake-stripe-payer";
import { FAKE_CHALLENGE, FAKE_STRIPE_SCRIPT } from "@/lib/testing/stripe/fake-stripe-script";
import { until } from "@/lib/testing/until";
import { findBrowser } from "@/scripts/find-browser.mjs";

const SHOP = "acct_page";
let fake: FakeStripe;
let account: TestAccount;
let server: Awaited<ReturnType<typeof serveApi>>;
let browser: Browser;
let page: Page;
/** Messages about scripts and resources that the page's policy blocked. */
let complaints: string[];

// Browsers are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

beforeAll(async () => {
  fake = await startFakeStripe();
  connectFakeStripe(fake);
  seedFakeStripe(fake.books, SHOP);
  server = await serveApi();
  fake.webhookUrl = `${server.baseUrl}/inbound/stripe`;
  account = await createTestAccount({ type: "sandbox" });
  const state = new URL((await startConnection(account.context())).url).searchParams.get("state") ?? "";
  await finishConnection(account.context(), { query: { code: `code_${SHOP}`, state } });
  browser = await chromium.launch(findBrowser());
});

afterAll(async () => {
  await browser.close();
  await server.close();
  await fake.close();
});

beforeEach(async () => {
  setStripeMode(fake, "well");
  page = await browser.newPage({ viewport: { width: 390, height: 800 }, locale: "en-US" });
  complaints = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.route("**/checkout/*", (route) =>
    route.fulfill({ path: `public${new URL(route.request().url()).pathname}` }),
  );
  await page.route(STRIPE_SCRIPT, (route) =>
    route.fulfill({ contentType: "text/javascript", body: FAKE_STRIPE_SCRIPT }),
  );
  await page.route("https://hooks.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: FAKE_CHALLENGE }),
  );
  await page.route("https://api.stripe.com/**", async (route) => {
    const json = await confirmPaymentField(fake.books, new URLSearchParams(route.request().postData() ?? ""));
    await route.fulfill({ json, headers: { "access-control-allow-origin": "*" } });
  });
});

afterEach(async () => {
  setClock(null);
  await page.close();
  expect(complaints).toEqual([]);
});

async function openLink(more: object = {}, mode: FakeStripe["mode"] = "well") {
  const { id, checkout_url } = await requestPayment(account, { amount: 1250, currency: "usd", ...more });
  setStripeMode(fake, mode);
  const { pathname, search } = new URL(checkout_url);
  const response = await page.goto(server.baseUrl + pathname + search);
  return { id, policy: (await response?.headerValue("content-security-policy")) ?? "" };
}

async function pay(card: "succeeds" | "declined" | "needs_step" | "processing"): Promise<void> {
  await page.getByLabel("Card").selectOption(card);
  await page.getByRole("button", { name: "Pay $12.50" }).click();
}

const heading = (name: string) => page.getByRole("heading", { name }).waitFor({ timeout: 45_000 });
const noField = () =>
  page
    .getByRole("alert")
    .filter({ hasText: "be loaded. You have not been charged" })
    .waitFor({ timeout: 45_000 });
const statusOf = async (id: string) => (await rowOf(account, id)).status;

describe("in a browser, with Stripe's field", () => {
  test("a payer pays; the webhook settles it, with one event", async () => {
    const { id } = await openLink();
    await pay("succeeds");
    await heading("Thank you for your payment");
    expect(await statusOf(id)).toBe("succeeded");
    const ends = (await paymentEvents(account)).filter(({ data }) => data.id === id);
    expect(ends.map(({ type }) => type)).toEqual(["payment.succeeded"]);
  });

  test("a payer with a discount sees what is taken now", async () => {
    const discount = { coupon: "half", label: "Half off" };
    const subscription = { mode: "subscription", price_id: "price_monthly", discount };
    await openLink({ amount: undefined, currency: undefined, ...subscription });
    await page.getByText("Discount: Half off").waitFor();
    await page.getByRole("button", { name: "Pay $4.50" }).waitFor({ timeout: 45_000 });
  });

  test("a declined payer reads why, and pays with another card", async () => {
    const { id } = await openLink();
    await pay("declined");
    await page.getByRole("alert").getByText("Your card was declined.").waitFor();
    expect(await statusOf(id)).toBe("requested");
    await pay("succeeds");
    await heading("Thank you for your payment");
  });

  test("a payer's bank asks: refused nothing is paid, agreed it is", async () => {
    const { id } = await openLink();
    await pay("needs_step");
    await page.frameLocator("iframe").getByRole("button", { name: "It is not" }).click();
    await page.getByRole("alert").getByText("unable to authenticate").waitFor();
    expect(await statusOf(id)).toBe("requested");
    await pay("needs_step");
    await page.frameLocator("iframe").getByRole("button", { name: "It is me" }).click();
    await heading("Thank you for your payment");
    expect(await statusOf(id)).toBe("succeeded");
  });

  test("a link that expires while the page is open says so, and its payment is canceled at Stripe", async () => {
    const { id } = await openLink();
    await page.getByLabel("Card").waitFor();
    advanceClock(86_400 + 1);
    await heading("This link has expired");
    expect(await statusOf(id)).toBe("expired");
    const { paymentIntentId } = await rowOf(account, id);
    expect(fake.books.intents.get(`${SHOP}/${paymentIntentId}`)?.status).toBe("canceled");
  });

  test("a request that is canceled while the bank asks is not paid any more", async () => {
    const { id } = await openLink();
    await pay("needs_step");
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "It is me" }).waitFor();
    const canceled = await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
    expect(canceled.body.status).toBe("canceled");
    await heading("This payment request was canceled");
    expect(await statusOf(id)).toBe("canceled");
  });

  test("while Stripe is down the page says that nothing was charged; the payer pays once Stripe is back", async () => {
    const { id } = await openLink({}, "down");
    await noField();
    expect(await statusOf(id)).toBe("requested");
    setStripeMode(fake, "well");
    await page.reload();
    await pay("succeeds");
    await heading("Thank you for your payment");
  });

  test.each(["slow", "garbage"] as const)(
    "%s answers of Stripe leave the request as it was",
    async (mode) => {
      const { id } = await openLink({}, mode);
      await noField();
      expect(await statusOf(id)).toBe("requested");
    },
  );

  test("a payment that takes its time is shown as such, and then as paid", async () => {
    const { id } = await openLink();
    await pay("processing");
    await until(async () => (await rowOf(account, id)).isProcessing || null);
    await heading("Your payment is being processed");
    await settleAtStripe(fake.books, (await rowOf(account, id)).paymentIntentId ?? "");
    await heading("Thank you for your payment");
  });
});

test("only pages with Stripe's field may run its script", async () => {
  const { policy } = await openLink();
  expect(policy).toContain("script-src 'self' https://js.stripe.com;");
  expect(policy).not.toContain("unsafe");

  account = await createTestAccount({ type: "sandbox" });
  const { policy: sandbox } = await openLink();
  expect(sandbox).toContain("script-src 'self';");
  expect(sandbox).not.toContain("stripe");
});
