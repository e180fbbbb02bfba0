import "@/lib/testing/use-test-database";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { disablePaymentProvider } from "@/lib/payments/card-providers/disable-payment-provider";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { attachCard, createApprover, requestAgentPayment } from "@/lib/testing/payments/use-wallet";

let account: TestAccount;
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
});

afterEach(() => setClock(null));
afterAll(() => stopSending());

describe("the pages", () => {
  test("say what is asked, load nothing from elsewhere, and are neither stored nor framed", async () => {
    const handle = await connectCustomer(account);
    const evil = `<script>alert("x")</script>`;
    const { attach_url } = await requestAgentPayment(account, handle, {
      description: evil,
      merchant: { name: "Harbor & Sons" },
    });
    const { response, text } = await openPage(new URL(attach_url).pathname);
    expect(response.status).toBe(200);
    expect(text).toContain("$42.00");
    expect(text).toContain("Harbor &amp; Sons");
    expect(text).toContain("Sandbox: no money moves");
    expect(text).not.toContain(evil);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
  });

  test("a changed link, or one for the other page, opens nothing", async () => {
    const { attachUrl, approvalUrl } = await createApprover(account);
    const link = new URL(approvalUrl).pathname.split("/").at(-1) ?? "";
    for (const path of [`/wallet/attach/${link}`, `/wallet/approve/${link}x`, "/wallet/approve/a.b.c"]) {
      expect((await openPage(path)).response.status).toBe(404);
    }
    const moved = await openPage(new URL(attachUrl).pathname);
    expect(moved.response.headers.get("location")).toBe(approvalUrl);
  });

  test("a payment that has ended asks for nothing", async () => {
    const { handle, approvalUrl } = await createApprover(account);
    await callApi(`DELETE /v3/payments/handles/${handle}/connection`, { token: account.token });
    const early = await openPage(new URL(approvalUrl).pathname);
    expect(early.text).toContain("<h1>Nothing to do now</h1>");
    setClock({ offsetMs: 16 * 60_000, frozenAt: null });
    const { text } = await openPage(new URL(approvalUrl).pathname);
    expect(text).toContain("no longer waiting");
    expect(text).toContain("<h1>Payment no longer open</h1>");
    expect(text).toContain("$42.00");
    expect(text).not.toContain("<button");
  });

  test("a test card that is none is refused", async () => {
    const handle = await connectCustomer(account);
    const { attach_url } = await requestAgentPayment(account, handle);
    expect(await attachCard(attach_url, "4242424242424242")).toBe(400);
  });

  test("an admin authorizes the sandbox's provider and comes back, once", async () => {
    const fresh = await createTestAccount({ type: "sandbox" });
    await disablePaymentProvider(fresh.context(), { params: { provider: "servicecard" } });
    const connect = () =>
      callApi("POST /v3/payments/providers/servicecard/connect", {
        token: fresh.token,
        body: { return_url: "https://example.com/back?x=1" },
      });
    const provider = async () =>
      (await callApi("GET /v3/payments/providers/servicecard", { token: fresh.token })).body.status;
    const decide = (url: string, decision: string) =>
      openPage(url, { method: "POST", body: new URLSearchParams({ decision }) });
    for (const [decision, status] of [
      ["cancel", "disabled"],
      ["authorize", "ready"],
    ] as const) {
      const { body } = await connect();
      const german = await openPage(body.hosted_url, { headers: { "accept-language": "de" } });
      expect(german.text).toContain("Erlauben");
      const page = await openPage(body.hosted_url);
      expect(page.response.headers.get("content-security-policy")).toContain(
        "form-action 'self' https://example.com",
      );
      const { response } = await decide(body.hosted_url, decision);
      const back = `https://example.com/back?x=1&session_id=${body.session_id}&status=${status}`;
      expect([response.status, response.headers.get("location")]).toEqual([303, back]);
      expect(await provider()).toBe(status);
      expect((await decide(body.hosted_url, "cancel")).response.status).toBe(404);
      expect(await provider()).toBe(status);
    }
  });
});
