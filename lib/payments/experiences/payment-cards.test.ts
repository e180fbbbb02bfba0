import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { validateExperience } from "@/lib/payments/experiences/validate-experience";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { attachCard, makePasskey } from "@/lib/testing/payments/use-wallet";
import { createAuthenticator } from "@/lib/testing/sign-in/software-authenticator";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterAll(() => stopSending());

const invoke = (name: string, action: string, params: Record<string, unknown>, to = "+16665550100") =>
  validateExperience(account.context(), { name, action, params }, [to]);
const request = async (by = account) => {
  const body = { amount: 4200, currency: "usd", description: "Dinner for two" };
  return (await callApi("POST /v3/payment_requests", { token: by.token, body })).body;
};

test("request_payment shows what the account's own request says", async () => {
  const { id, checkout_url } = await request();
  const { card } = await invoke("servicepay", "request_payment", { checkout_url });
  expect(card).toEqual({
    url: checkout_url,
    title: "Dinner for two",
    subtitle: null,
    aside: "$42.00",
    subject: { type: "payment_request", id },
  });
});

test("request_payment takes the link and nothing else: amount and reason are the request's", async () => {
  const { checkout_url } = await request();
  for (const more of [{ title: "Dinner" }, { note: "Thanks" }]) {
    const params = { checkout_url, ...more };
    await expect(invoke("servicepay", "request_payment", params)).rejects.toMatchObject({
      errorName: "parameter_invalid",
    });
  }
});

test("the names of public programs are taken, and answered as ours", async () => {
  const { checkout_url } = await request();
  expect((await invoke("agentpay", "request_payment", { checkout_url })).name).toBe("servicepay");
  for (const [given, ours] of [
    ["agentpay", "servicepay"],
    ["agentcard", "servicecard"],
  ]) {
    const { status, body } = await callApi(`GET /v3/experiences/${given}`, { token: account.token });
    expect([status, body.experience]).toEqual([200, ours]);
  }
  await expect(invoke("agentcard", "attach_card", {})).rejects.toMatchObject({ errorName: "state_conflict" });
});

test("request_payment takes no other account's request, no other url, and none that has ended", async () => {
  const theirs = await createTestAccount({ type: "sandbox" });
  const foreign = (await request(theirs)).checkout_url;
  for (const checkout_url of [foreign, "https://example.com/pay/x?session=y"]) {
    await expect(invoke("servicepay", "request_payment", { checkout_url })).rejects.toMatchObject({
      errorName: "parameter_invalid",
    });
  }
  const { id, checkout_url } = await request();
  await callApi(`POST /v3/payment_requests/${id}/cancel`, { token: account.token });
  await expect(invoke("servicepay", "request_payment", { checkout_url })).rejects.toMatchObject({
    errorName: "state_conflict",
  });
});

test("attach_card and approve_card are about what the customer's payment waits for, and nowhere else", async () => {
  const handle = await connectCustomer(account);
  const pay = async () => {
    const body = { amount_cents: 4200, currency: "usd", handle };
    return (await callApi("POST /v3/payments", { token: account.token, body })).body;
  };
  await expect(invoke("servicecard", "attach_card", {}, handle)).rejects.toMatchObject({
    errorName: "state_conflict",
  });

  const { attach_url } = await pay();
  const attach = await invoke("servicecard", "attach_card", { note: "For tonight" }, handle);
  const url = `${new URL(attach_url).origin}/wallet/attach/[redacted]`;
  expect(attach.card).toMatchObject({ url, subtitle: "For tonight", aside: "$42.00" });
  await expect(invoke("servicecard", "approve_card", {}, handle)).rejects.toMatchObject({
    errorName: "state_conflict",
  });

  await attachCard(attach_url);
  await makePasskey(attach_url, createAuthenticator());
  await pay();
  const approve = await invoke("servicecard", "approve_card", {}, handle);
  expect(approve.card.url).toMatch(/\/wallet\/approve\/\[redacted\]$/);
});
