import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { getPaymentSettings, updateBranding } from "@/lib/checkout/payment-settings";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { visitPage } from "@/lib/testing/payer";
import { requestPayment } from "@/lib/testing/payment-requests";

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

  const { text, headers } = await visitPage(checkout_url);
  expect(text).toContain("Harbor &lt;Kitchen&gt;");
  expect(text).toContain("--brand:#123456");
  expect(headers.get("content-security-policy")).toContain("https://cdn.example");
  expect((await requestPayment(account)).checkout_url).toContain("/pay/harbor-kitchen?");
});

test("a slug that is taken, and another account's logo, are refused", async () => {
  const [one, two] = [
    await createTestAccount({ type: "sandbox" }),
    await createTestAccount({ type: "sandbox" }),
  ];
  await updateBranding(one.context(), { body: { slug: "taken" } });
  await expect(updateBranding(two.context(), { body: { slug: "taken" } })).rejects.toThrow("taken");
  const logo = { logo_attachment_id: "01a00000-0000-7000-8000-000000000000" };
  await expect(updateBranding(two.context(), { body: logo })).rejects.toThrow("Attachment not found");
});

test("those who may only look cannot change it", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const viewer = { type: "user", userId: "u", name: "V", email: "v@example.com", role: "viewer" } as const;
  await expect(
    updateBranding({ ...account.context(), actor: viewer }, { body: { name: "X" } }),
  ).rejects.toThrow("may not");
});
