import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/platform/db";
import { connectCustomer, startSending } from "@/lib/testing/connect-customer";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { requestPayment } from "@/lib/testing/payment-requests";
import { requestAgentPayment } from "@/lib/testing/use-wallet";

const IN_OWN_FRAME = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
const IN_FOREIGN_FRAME = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };

let account: TestAccount;
let pages: string[];
let stopSending: () => Promise<void>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  stopSending = startSending();
  const { checkout_url } = await requestPayment(account);
  const { attach_url } = await requestAgentPayment(account, await connectCustomer(account));
  pages = [checkout_url, attach_url];
});

afterAll(() => stopSending());

async function framingOf(url: string, headers: Record<string, string>): Promise<string> {
  const { response } = await openPage(url, { headers });
  expect(response.status).toBe(200);
  const policy = response.headers.get("content-security-policy") ?? "";
  const framing = /frame-ancestors ('\w+')/.exec(policy)?.[1] ?? "";
  const option = response.headers.get("x-frame-options");
  expect([null, framing === "'self'" ? "SAMEORIGIN" : "DENY"]).toContain(option);
  return framing;
}

test("a sandbox's checkout and wallet open in a frame of this instance, and in no other", async () => {
  for (const url of pages) {
    expect(await framingOf(url, IN_OWN_FRAME)).toBe("'self'");
    expect(await framingOf(url, IN_FOREIGN_FRAME)).toBe("'none'");
    expect(await framingOf(url, {})).toBe("'none'");
  }
});

test("a production account's pages open in no frame", async () => {
  await prisma().account.update({ where: { id: account.ref.id }, data: { type: "production" } });
  for (const url of pages) expect(await framingOf(url, IN_OWN_FRAME)).toBe("'none'");
});
