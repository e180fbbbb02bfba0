import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { brandColors, contrast } from "@/lib/payments/checkout/brand-colors";
import { html } from "@/lib/payments/checkout/html";
import { chooseLanguage } from "@/lib/payments/checkout/translations";
import { recordPaymentAttempt } from "@/lib/payments/requests/attempt-payment";
import { sql } from "@/lib/platform/database/db";
import { formatAmount, minorUnits } from "@/lib/platform/text/money";
import { now, setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { visitPage } from "@/lib/testing/payments/payer";
import { paymentEvents, requestPayment, rowOf } from "@/lib/testing/payments/payment-requests";
import { until } from "@/lib/testing/until";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

async function newLink(body?: object) {
  const { id, checkout_url } = await requestPayment(account, body);
  const { origin, pathname, searchParams } = new URL(checkout_url);
  const session = searchParams.get("session") ?? "";
  const base = origin + pathname;
  const post = (step: string, form: Record<string, string>) =>
    visitPage(`${base}/${step}`, { form: { session, ...form } });
  return { id, url: checkout_url, session, base, post };
}

describe("the page", () => {
  test("says who is paid, how much and for what, and that no money moves", async () => {
    const { url } = await newLink({ amount: 1250, currency: "usd", description: "Dinner <b>for</b> two" });
    const { status, text } = await visitPage(url);
    expect(status).toBe(200);
    expect(text).toContain("$12.50");
    expect(text).toContain("Dinner &lt;b&gt;for&lt;/b&gt; two");
    expect(text).toMatch(/Pay Partner \d+/);
    expect(text).toContain("no money moves");
  });

  test("lists the items, and leads back: without paying from the open page, onward from the paid one", async () => {
    const { url, post } = await newLink({
      amount: 1250,
      currency: "usd",
      items: [{ name: "Soup <b>", quantity: 2, amount: 450 }, "Bread"],
      success_url: "https://shop.example/thanks?a=1&b=2",
      cancel_url: "https://shop.example/cart",
    });
    const open = (await visitPage(url)).text;
    expect(open).toContain("2 × <bdi>Soup &lt;b&gt;</bdi>");
    expect(open).toContain("$9.00");
    expect(open).toContain("Bread");
    expect(open).toContain('href="https://shop.example/cart"');
    expect(open).not.toContain("shop.example/thanks");
    await post("attempt", { card: "succeeds" });
    const paid = (await visitPage(url)).text;
    expect(paid).toContain('href="https://shop.example/thanks?a=1&amp;b=2"');
    expect(paid).not.toContain("shop.example/cart");
  });

  test("leads back to return_url from either page where it has no other, and nowhere without one", async () => {
    const { url, id, post } = await newLink({
      amount: 1250,
      currency: "usd",
      return_url: "https://shop.example/orders/7",
    });
    expect((await visitPage(url)).text).toContain("without paying");
    await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
    expect((await visitPage(url)).text).toContain('href="https://shop.example/orders/7"');
    await post("attempt", { card: "succeeds" });
    expect((await visitPage((await newLink()).url)).text).not.toContain('class="back"');
  });

  test("is in the language that was asked for, else in the browser's", async () => {
    const pageIn = async (locale: string | undefined, browser: string) => {
      const { url } = await newLink({ amount: 500, currency: "usd", ...(locale && { locale }) });
      const { text } = await visitPage(url, { headers: { "accept-language": browser } });
      return /<html lang="(\w+)"/.exec(text)?.[1];
    };
    expect(await pageIn("fr-CA", "de")).toBe("fr");
    expect(await pageIn("es_419", "de")).toBe("es");
    expect(await pageIn("auto", "de")).toBe("de");
    expect(await pageIn("ja", "de")).toBe("de");
    expect(await pageIn(undefined, "de")).toBe("de");
  });

  test("runs only Trunkline's files, is not cached and sends no referrer", async () => {
    const { url } = await newLink({ amount: 500, currency: "usd", image_url: "https://shop.example/x.png" });
    const { headers, text } = await visitPage(url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("img-src 'self' data: https://shop.example");
    expect(policy).not.toMatch(/unsafe|stripe/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(text.match(/<script[^>]*>/g)?.every((tag) => tag.includes('src="/checkout/'))).toBe(true);
    expect(text).not.toMatch(/ style="| on\w+="/);
  });

  test("is looked at by previews without being opened", async () => {
    const { id, url } = await newLink();
    await visitPage(url);
    expect((await rowOf(account, id)).openedAt).toBeNull();
  });

  test("says in its title where the payment stands, and once it is paid, what was paid", async () => {
    const { id, url, post } = await newLink();
    expect((await visitPage(url)).text).toMatch(/<title>Pay Partner \d+<\/title>/);
    expect((await visitPage(`${url}&declined=1`)).text).toMatch(/<title>Your payment was declined · Pay/);
    await post("attempt", { card: "succeeds" });
    const { text } = await visitPage(url);
    expect(text).toMatch(/<title>Thank you for your payment · Partner \d+<\/title>/);
    expect(text).toContain('<p class="label">Amount paid</p>');
    expect(text).not.toContain("Amount due");
    expect((await rowOf(account, id)).status).toBe("succeeded");

    const canceled = await newLink();
    await callApi(`POST /v3/payment_requests/${canceled.id}/cancel`, { token: account.token });
    expect((await visitPage(canceled.url)).text).toContain('<p class="label">Amount</p>');
  });

  test.each([
    ["en", /every 3\smonths/],
    ["es", /cada 3\smeses/],
    ["fr", /tous les 3\smois/],
    ["de", /alle 3\sMonate/],
  ])("says in %s how often a subscription is paid", async (language, every) => {
    const { url } = await newLink({ mode: "subscription", price_id: "price_test_quarterly" });
    expect((await visitPage(url, { headers: { "accept-language": language } })).text).toMatch(every);
  });

  test.each([
    ["es", "Pagar 12,50"],
    ["fr-CA, en;q=0.5", "Payer 12,50"],
    ["de-AT", "12,50"],
    ["ja, en-GB;q=0.3", "Pay $12.50"],
  ])("speaks the browser's language: %s", async (language, phrase) => {
    const { url } = await newLink();
    const { text } = await visitPage(url, { headers: { "accept-language": language } });
    expect(text.replaceAll("\u00a0", " ")).toContain(phrase);
  });

  test("of an unknown session is 404 and says so, in a page", async () => {
    const { base } = await newLink();
    for (const query of ["", "?session=", "?session=tlpay_x", `?session=tlpay_${"A".repeat(43)}`]) {
      const { status, text } = await visitPage(base + query);
      expect(status).toBe(404);
      expect(text).toContain("This link doesn");
    }
  });

  describe("of a session that asks without end", () => {
    beforeEach(() => {
      // Freezes the clock in the first second of a minute, so that no test runs into the next one.
      const minute = Math.ceil(now().getTime() / 60_000) * 60_000;
      setClock({ offsetMs: 0, frozenAt: new Date(minute + 1000) });
    });
    afterEach(() => setClock(null));

    const look = async (base: string, session: string) =>
      (await visitPage(`${base}/state`, { headers: { "x-checkout-session": session } })).status;

    test("is 429", async () => {
      const { base, session } = await newLink();
      const statuses = [];
      for (let count = 0; count < 121; count++) statuses.push(await look(base, session));
      expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
      expect(statuses.at(-1)).toBe(429);
      const other = await newLink();
      expect(await look(other.base, other.session)).toBe(200);
    });

    test("is 429 wherever it asked", async () => {
      const { id, base, session } = await newLink();
      await sql.runText({
        text: "insert into token_minutes (account_id, token_id, minute, requests) values ($1, $2, $3, 120)",
        values: [account.ref.id, id, new Date(Math.floor(now().getTime() / 60_000) * 60_000)],
      });
      await until(async () => (await look(base, session)) === 429);
    });
  });
});

test("Apple's files are 404 where neither is set up", async () => {
  for (const file of ["apple-app-site-association", "apple-developer-merchantid-domain-association"]) {
    expect((await visitPage(`http://trunkline.test/.well-known/${file}`)).status).toBe(404);
  }
});

test("the wallet's pages speak the browser's language too", async () => {
  for (const [language, phrase] of [
    ["es", "Este enlace no es válido"],
    ["fr", "Ce lien n’est pas valide"],
    ["de-CH", "Dieser Link ist ungültig"],
    ["ja", "This link isn"],
  ] as const) {
    for (const page of ["attach", "approve"]) {
      const url = `http://trunkline.test/wallet/${page}/unknown`;
      const { status, text } = await visitPage(url, { headers: { "accept-language": language } });
      expect(status).toBe(404);
      expect(text).toContain(phrase);
      expect(text).toContain(`lang="${language.split("-")[0] === "ja" ? "en" : language.split("-")[0]}"`);
    }
  }
});

describe("without script", () => {
  test("a payer is declined, then pays", async () => {
    const { url, post } = await newLink();
    const declined = await post("attempt", { card: "declined" });
    expect(declined.status).toBe(303);
    const page = await visitPage(new URL(declined.headers.get("location") ?? "", url).href);
    expect(page.text).toContain("declined");
    expect(page.text).toContain('role="alert"');
    await post("attempt", { card: "succeeds" });
    expect((await visitPage(url)).text).toContain("Thank you for your payment");
  });

  test("a second step is asked for, and its answer decides", async () => {
    const { url, post } = await newLink();
    const asked = await post("attempt", { card: "second_step" });
    const step = new URL(asked.headers.get("location") ?? "", url);
    expect(step.pathname).toMatch(/\/step$/);
    expect((await visitPage(step.href)).text).toContain("Confirm your payment");
    const answered = await post("step", { agreed: "yes" });
    expect(answered.headers.get("location")).not.toContain("declined");
    expect((await visitPage(url)).text).toContain("Thank you for your payment");
  });

  test("a payment that takes a moment is shown as such, until it is done", async () => {
    const { url, post, base, session } = await newLink();
    await post("attempt", { card: "settles_late" });
    const { text } = await visitPage(url);
    expect(text).toContain("being processed");
    expect(text).toContain('<noscript><meta http-equiv="refresh"');
    advanceClock(60);
    const { text: state } = await visitPage(`${base}/state`, { headers: { "x-checkout-session": session } });
    expect(JSON.parse(state)).toEqual({ state: "paid" });
  });

  test("a canceled or expired request can't be paid, and its page says so", async () => {
    const canceled = await newLink();
    await callApi(`POST /v3/payment_requests/${canceled.id}/cancel`, { token: account.token });
    await canceled.post("attempt", { card: "succeeds" });
    expect((await visitPage(canceled.url)).text).toContain("This payment request was canceled");

    const expired = await newLink();
    advanceClock(86_400);
    expect((await visitPage(expired.url)).text).toContain("This link has expired");
    await expired.post("attempt", { card: "succeeds" });
    expect((await rowOf(account, expired.id)).status).toBe("expired");
  });

  test("an unknown card is a mistake of the payer, and nothing is paid", async () => {
    const { id, post } = await newLink();
    const { status, text } = await post("attempt", { card: "platinum" });
    expect(status).toBe(400);
    expect(text).not.toContain("platinum");
    expect((await rowOf(account, id)).status).toBe("requested");
  });
});

test("a subscription says how often, a trial that nothing is taken today", async () => {
  const { url } = await newLink({ mode: "subscription", price_id: "price_test_quarterly" });
  expect((await visitPage(url)).text).toMatch(/every 3\smonths/);
  const trial = await newLink({ mode: "subscription", price_id: "price_test_monthly", trial_period_days: 7 });
  const { text } = await visitPage(trial.url);
  expect(text).toContain("be charged today");
  expect(text).toContain(">Start free trial</button>");
  expect(text).not.toContain("Pay $9.00");
});

test.each([
  ["es", "Suscribirse con obligación de pago", "Pagar 4,50", "Descuento: <bdi>Half off</bdi>"],
  ["fr", "S’abonner avec obligation de paiement", "Payer 4,50", "Remise : <bdi>Half off</bdi>"],
  ["de", "Zahlungspflichtig abonnieren", "4,50 $ bezahlen", "Rabatt: <bdi>Half off</bdi>"],
])("the page explains a trial and a discount in %s", async (language, trial, pay, label) => {
  const subscription = { mode: "subscription", price_id: "price_test_monthly" };
  const discount = { coupon: "coupon_test_half", label: "Half off" };
  const read = async (more: object) => {
    const { url } = await newLink({ ...subscription, ...more });
    const { text } = await visitPage(url, { headers: { "accept-language": language } });
    return text.replaceAll(/[\u00a0\u202f]/g, " ");
  };
  expect(await read({ trial_period_days: 7 })).toContain(`>${trial}</button>`);
  const discounted = await read({ discount });
  expect(discounted).toContain(pay);
  expect(discounted).toContain(label);
});

test("texts that people typed keep their own direction", async () => {
  const { url } = await newLink({
    amount: 4200,
    currency: "usd",
    description: "عشاء 2",
    items: [{ name: "حساء", description: "ساخن", quantity: 2 }],
  });
  const { text } = await visitPage(url);
  expect(text).toContain('<p class="what" dir="auto">عشاء 2</p>');
  expect(text).toContain('2 × <bdi>حساء</bdi><span class="quiet" dir="auto">ساخن</span>');
  expect(text).toMatch(/<h1>Pay <bdi>[^<]+<\/bdi><\/h1>/);
});

test("a discount is named, and the page asks for what is then taken", async () => {
  const monthly = { mode: "subscription", price_id: "price_test_monthly" };
  const { id, url, post } = await newLink({
    ...monthly,
    discount: { coupon: "coupon_test_half", label: "Half <off>" },
  });
  const { text } = await visitPage(url);
  expect(text).toContain("Discount: <bdi>Half &lt;off&gt;</bdi>");
  expect(text).toContain("You pay $4.50 today");
  expect(text).toContain(">Pay $4.50</button>");
  expect(text).toContain("$9.00 per month");
  const asked = await post("attempt", { card: "second_step" });
  const step = await visitPage(new URL(asked.headers.get("location") ?? "", url).href);
  expect(step.text).toContain("the payment of <bdi>$4.50</bdi>");
  await post("step", { agreed: "yes" });
  expect((await rowOf(account, id)).chargedMinor).toBe(450);

  const unnamed = await newLink({ ...monthly, discount: { promotion_code: "promo_test_half" } });
  expect((await visitPage(unnamed.url)).text).toContain("A discount applies to your first payment.");
});

test("repeated attempts of a payer count once, and not at all before the opening or after the end", async () => {
  const { id, post } = await newLink();
  const say = () => post("open", { attempt: "1" });
  const tries = async () =>
    (await paymentEvents(account)).filter(
      ({ type, data }) => type === "payment_request.attempted" && data.payment_request_id === id,
    ).length;
  await say();
  expect(await tries()).toBe(0);
  await post("open", {});
  await Promise.all([say(), say(), say()]);
  expect(await tries()).toBe(1);

  await post("attempt", { card: "declined" });
  await say();
  expect(await tries()).toBe(2);
  await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
  await post("attempt", { card: "declined" });
  expect((await say()).status).toBe(200);
  expect(await tries()).toBe(2);

  const expired = await newLink();
  await expired.post("open", {});
  const row = await rowOf(account, expired.id);
  advanceClock(86_400);
  await recordPaymentAttempt(row);
  const ofExpired = (await paymentEvents(account)).filter(
    ({ type, data }) => type === "payment_request.attempted" && data.payment_request_id === expired.id,
  );
  expect(ofExpired).toEqual([]);
});

test("a partner's colour is shown with a text that can be read on it, whatever the colour", async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const { brand, onBrand } = brandColors(`#${value.toString(16).padStart(6, "0")}`);
      expect(contrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5);
    }),
  );
  const { url } = await newLink();
  await sql.runText({
    text: "update checkout_brandings set color = '#ffe600' where account_id = $1",
    values: [account.ref.id],
  });
  expect((await visitPage(url)).text).toContain("--brand:#ffe600;--on-brand:#000000");
});

test.each([
  [1250, "usd", "en", "$12.50"],
  [500, "jpy", "en", "¥500"],
  [1234567, "krw", "en", "₩1,234,567"],
  [12345, "kwd", "en", "KWD 12.345"],
  [1999, "eur", "de", "19,99 €"],
] as const)("%d %s in %s is %s", (amount, currency, language, text) => {
  expect(formatAmount(minorUnits(amount, currency), currency, language).replaceAll("\u00a0", " ")).toBe(text);
});

test.each([
  [null, "en"],
  ["", "en"],
  ["de", "de"],
  ["en;q=0.2, fr;q=0.9", "fr"],
  ["es;q=0, en", "en"],
  ["toString, __proto__", "en"],
])("the language of %s is %s", (header, language) => {
  expect(chooseLanguage(header)).toBe(language);
});

test("markup takes no markup from values", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const { text } = html`<a title="${value}">${value}</a>`;
      expect(text.match(/[<>"]/g)).toHaveLength(6);
    }),
  );
});
