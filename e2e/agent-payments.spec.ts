import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { connect, createAgentPayment as pay, readPhoneCode } from "./agent-customer";
import { newPhone, sendRequest } from "./partner-program";
import { addAuthenticator } from "./virtual-authenticator";

/** Requests a code on the attach page and enters the code from the phone. */
async function enterCode(page: Page, handle: string): Promise<void> {
  await page.getByRole("button", { name: "Send code" }).click();
  const code = await readPhoneCode(handle, "create a passkey");
  await page.getByLabel("Code").fill(code);
}

test("a customer adds a card and a passkey, approves, and the agent pays", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await addAuthenticator(page);
  const { handle } = await newPhone();
  await connect(handle);

  await page.goto((await pay(handle)).attach_url);
  await expect(page.getByText("$42.00")).toBeVisible();
  await expectAccessible(page, { widths: [360] });
  await page.getByRole("button", { name: "Add card" }).click();
  await expect(page.getByRole("heading", { name: "Protect your wallet" })).toBeVisible();
  await expectAccessible(page, { widths: [360] });
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Code").fill("000");
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByRole("status")).toContainText("That code is wrong");
  await expectAccessible(page, { widths: [360] });
  await page.getByLabel("Code").fill(await readPhoneCode(handle, "create a passkey"));
  await page.getByRole("button", { name: "Create a passkey" }).click();

  await expect(page.getByRole("heading", { name: "Approve this payment" })).toBeVisible();
  await expect(page.getByText("Harbor Kitchen (harbor.example)")).toBeVisible();
  await expectAccessible(page, { widths: [360] });
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await expect(page.getByRole("heading", { name: "Payment approved" })).toBeVisible();

  const ready = await pay(handle);
  expect(ready.status).toBe("ready");
  const { handoff } = (await sendRequest(`GET /v3/payments/${ready.id}/credentials`)).body;
  const card = (
    await sendRequest(`GET ${new URL(handoff.fetch_url).pathname}`, undefined, handoff.user_token)
  ).body;
  const charge = { number: card.number, cvc: card.cvc, amount_cents: 4200, currency: "usd" };
  expect((await sendRequest("POST /vault/charges", charge)).body.outcome).toBe("captured");
  expect((await sendRequest(`GET /v3/payments/${ready.id}`)).body.status).toBe("succeeded");
});

test("a device that is not unlocked leaves the payment as it was, and the page says so", async ({ page }) => {
  await addAuthenticator(page, { isUnlocked: false });
  const { handle } = await newPhone();
  await connect(handle);
  await page.goto((await pay(handle)).attach_url);
  await page.getByRole("button", { name: "Add card" }).click();
  await enterCode(page, handle);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page.getByRole("status")).toContainText("did not confirm");
  expect((await pay(handle)).status).toBe("awaiting_user_action");
});
