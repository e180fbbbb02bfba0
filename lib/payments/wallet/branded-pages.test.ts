import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PATCH as saveBranding } from "@/app/api/payment-settings/route";
import { brandColors, contrast } from "@/lib/payments/checkout/brand-colors";
import { payWithTestCard } from "@/lib/payments/requests/attempt-payment";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { createApprover, requestAgentPayment } from "@/lib/testing/payments/use-wallet";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

const LOGO = "https://cdn.example.com/logo.png";
let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterAll(() => stopSending());

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

async function brand(color: string): Promise<void> {
  const admin = await signInAs(account, "admin");
  const body = { name: "Harbor & Sons", color, logo_url: LOGO };
  expect((await admin.call(saveBranding, { method: "PATCH", body })).status).toBe(200);
}

test("without branding, wallet pages name the partner", async () => {
  const handle = await connectCustomer(account);
  const { attach_url } = await requestAgentPayment(account, handle);
  const { text } = await openPage(pathOf(attach_url));
  expect(text).toMatch(
    /<header><span class="initial"[^>]*>.<\/span><span class="name" dir="auto">[^<]+<\/span><\/header>/,
  );
});

test("checkout, attach and approval pages have the partner's name, logo and colors, and load only the logo from elsewhere", async () => {
  await brand("#ffd84d");
  const { attachUrl, approvalUrl } = await createApprover(account);
  const handle = await connectCustomer(account);
  const { attach_url } = await requestAgentPayment(account, handle);
  const checkout = (await requestPayment(account)).checkout_url;
  for (const url of [checkout, attach_url, approvalUrl]) {
    const { response, text } = await openPage(pathOf(url));
    expect(response.status).toBe(200);
    expect(text).toContain(`<header><img class="logo" src="${LOGO}"`);
    expect(text).toContain('<span class="name" dir="auto">Harbor &amp; Sons</span>');
    expect(text).toContain(":root{--brand:#ffd84d;--on-brand:#000000}");
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1];
    expect(policy).toContain(`'nonce-${nonce}'`);
    expect(policy).toMatch(/img-src 'self' data: https:\/\/cdn\.example\.com;/);
    expect(policy).toContain("default-src 'none'");
  }
  expect((await openPage(pathOf(attachUrl))).response.status).toBe(303);
});

test("a chosen language is kept from the checkout to the wallet, over the browser's and the request's", async () => {
  const handle = await connectCustomer(account);
  const { attach_url } = await requestAgentPayment(account, handle);
  const { checkout_url } = await requestPayment(account, { amount: 100, currency: "usd", locale: "fr" });
  const headers = { "accept-language": "es" };
  const asked = await openPage(pathOf(checkout_url), { headers });
  expect(asked.text).toContain('<html lang="fr">');
  expect(asked.response.headers.get("set-cookie")).toBeNull();
  const link = /href="([^"]+)" lang="de"/.exec(asked.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const chosen = await openPage(link, { headers });
  expect(chosen.text).toContain('<html lang="de">');
  expect(chosen.text).toContain('<span aria-current="true">Deutsch</span>');
  const cookie = chosen.response.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(cookie).toBe("trunkline_language=de");

  const wallet = await openPage(pathOf(attach_url), { headers: { ...headers, cookie } });
  expect(wallet.text).toContain('<html lang="de">');
  const other = await openPage(`${pathOf(attach_url)}?lang=fr`, { headers: { ...headers, cookie } });
  expect(other.text).toContain('<html lang="fr">');
  expect(other.response.headers.get("set-cookie")).toContain("trunkline_language=fr");
});

test.each(["xx", "", "__proto__", "de;%20Path=/", "DE"])(
  "the language %j is none: no cookie",
  async (lang) => {
    const { checkout_url } = await requestPayment(account);
    const { response, text } = await openPage(`${pathOf(checkout_url)}&lang=${lang}`);
    expect([response.status, response.headers.get("set-cookie")]).toEqual([200, null]);
    expect(text).toContain('<html lang="en">');
  },
);

test("a paid checkout is a receipt that can be printed; an open or canceled one is not", async () => {
  const { id, checkout_url } = await requestPayment(account);
  expect((await openPage(pathOf(checkout_url))).text).not.toContain("data-print");
  await payWithTestCard(await rowOf(account, id), "succeeds");
  const { text } = await openPage(pathOf(checkout_url));
  expect(text).toContain('<dt>Paid to</dt><dd dir="auto">Harbor &amp; Sons</dd>');
  expect(text).toMatch(/<dt>Paid on<\/dt><dd>[A-Z][a-z]+ \d+, \d{4}[^<]* UTC<\/dd>/);
  expect(text).toContain(`<dt>Reference</dt><dd>${id}</dd>`);
  expect(text).toContain("data-print hidden>Print receipt</button>");
  expect(text).toContain('<script src="/checkout/print.js" defer></script>');
});

test("text on the partner's color is readable, whatever the color", () => {
  for (const color of ["#ffffff", "#000000", "#777777", "#767676", "#ffd84d", "#ff0000", "#3b82f6", null]) {
    const { brand, onBrand } = brandColors(color);
    expect(contrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5);
  }
});
