import "@/lib/testing/use-test-database";

import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { expect, test } from "vitest";
import { PATCH as brandingRoute } from "@/app/api/payment-settings/route";
import { objectStore } from "@/lib/adapters/storage/registry";
import { openOwnFile } from "@/lib/attachments/media/open-own-file";
import { getPaymentSettings, updateBranding } from "@/lib/payments/checkout/payment-settings";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { visitPage } from "@/lib/testing/payments/payer";
import { requestPayment } from "@/lib/testing/payments/payment-requests";
import { FILES } from "@/lib/testing/samples/file-samples";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

test("a sandbox can charge from the start, a production account once it is connected", async () => {
  const sandbox = await createTestAccount({ type: "sandbox" });
  expect(await getPaymentSettings(sandbox.context())).toMatchObject({
    processor: "sandbox",
    can_charge: true,
  });
  const production = await createTestAccount({ type: "production" });
  expect(await getPaymentSettings(production.context())).toMatchObject({
    processor: null,
    can_charge: false,
  });
});

test("an instance without Stripe says why it can't be connected", async () => {
  const account = await createTestAccount({ type: "production" });
  expect((await getPaymentSettings(account.context())).connect_refusal).toMatch(/STRIPE_SECRET_KEY/);
});

test("name, colour, logo and slug are shown to payers, and links that were sent keep working", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const { checkout_url } = await requestPayment(account);
  const body = {
    slug: "harbor-kitchen",
    name: "Harbor <Kitchen>",
    color: "#123456",
    logo_url: "https://cdn.example/l.png",
  };
  expect(await updateBranding(account.context(), { body })).toMatchObject({
    slug: "harbor-kitchen",
    color: "#123456",
  });

  const moved = (await visitPage(checkout_url)).headers.get("location") ?? "";
  expect(moved).toBe(`/pay/harbor-kitchen?${checkout_url.split("?")[1]}`);
  const { text, headers } = await visitPage(new URL(moved, checkout_url).href);
  expect(text).toContain("Harbor &lt;Kitchen&gt;");
  expect(text).toContain("--brand:#123456");
  expect(headers.get("content-security-policy")).toContain("https://cdn.example");
  expect((await requestPayment(account)).checkout_url).toContain("/pay/harbor-kitchen?");
});

test("a slug that is taken is refused, and the logo that came with it is not kept", async () => {
  const [one, two] = [
    await createTestAccount({ type: "sandbox" }),
    await createTestAccount({ type: "sandbox" }),
  ];
  await updateBranding(one.context(), { body: { slug: "taken" } });
  const body = { slug: "taken", logo: await logoOf({ width: 200, height: 200 }) };
  await expect(updateBranding(two.context(), { body })).rejects.toThrow("taken");
  expect(await filesOf(two)).toEqual([]);
});

async function logoOf(size: { width: number; height: number }): Promise<string> {
  const image = { ...size, channels: 3, background: "#c8285a" } as const;
  return (await sharp({ create: image }).jpeg().toBuffer()).toString("base64");
}

async function filesOf(account: TestAccount) {
  const { text, values } = {
    text: "select id from attachments where account_id = $1",
    values: [account.ref.id],
  };
  const rows = await sql.runText<{ id: string }>({ text, values });
  const keys: string[] = [];
  for await (const page of objectStore().list()) keys.push(...page.map(({ key }) => key));
  expect(keys.filter((key) => key.startsWith(account.ref.id))).toHaveLength(rows.length);
  return rows.map(({ id }) => id);
}

test("an uploaded logo is drawn anew, served from here, audited, and goes with the next one", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const admin = await signInAs(account, "admin");
  const { checkout_url } = await requestPayment(account);
  const first = { logo: await logoOf({ width: 900, height: 300 }) };
  const { status, body } = await admin.call(brandingRoute, { method: "PATCH", body: first });
  expect(status).toBe(200);
  expect((await visitPage(checkout_url)).text).toContain(`src="${body.logo_url}"`);

  const served = await openPage(new URL(body.logo_url).pathname);
  expect(served.response.headers.get("content-type")).toBe("image/png");
  const [known] = await filesOf(account);
  const stored = await openOwnFile(account.ref.id, known ?? "");
  expect(await sharp(await buffer(stored.body)).metadata()).toMatchObject({
    format: "png",
    width: 512,
    height: 171,
  });

  const second = { logo: await logoOf({ width: 128, height: 128 }) };
  await admin.call(brandingRoute, { method: "PATCH", body: second });
  const [kept, ...others] = await filesOf(account);
  expect([kept === known, others]).toEqual([false, []]);

  expect((await updateBranding(account.context(), { body: { logo: null } })).logo_url).toBeNull();
  expect(await filesOf(account)).toEqual([]);
  const audit = await sql.runText<{ detail: { from: object; to: object } }>({
    text: "select detail from audit_entries where account_id = $1 and action = 'checkout.branded' order by id",
    values: [account.ref.id],
  });
  expect(audit.map(({ detail }) => detail)).toEqual([
    { from: { logo: null }, to: { logo: known } },
    { from: { logo: known }, to: { logo: kept } },
    { from: { logo: kept }, to: { logo: null } },
  ]);
});

test.each([
  ["a page", async () => FILES.svg.toString("base64"), "content_type_mismatch"],
  [
    "half an image",
    async () => (await logoOf({ width: 300, height: 300 })).slice(0, 400),
    "content_type_mismatch",
  ],
  ["a small image", () => logoOf({ width: 300, height: 127 }), "parameter_invalid"],
  ["a large file", async () => Buffer.alloc(2 * 1024 * 1024 + 1).toString("base64"), "file_too_large"],
])("%s is no logo, and nothing of it is kept", async (_, logo, errorName) => {
  const account = await createTestAccount({ type: "sandbox" });
  const change = updateBranding(account.context(), { body: { logo: await logo() } });
  await expect(change).rejects.toMatchObject({ errorName });
  expect(await filesOf(account)).toEqual([]);
});
