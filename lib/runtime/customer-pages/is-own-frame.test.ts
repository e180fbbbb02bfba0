import "@/lib/testing/use-test-database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { openPage } from "@/lib/testing/open-page";
import { connectCustomer, startSending } from "@/lib/testing/payments/connect-customer";
import { requestPayment } from "@/lib/testing/payments/payment-requests";
import { requestAgentPayment } from "@/lib/testing/payments/use-wallet";

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

/** The pages that may frame the page, by its policy and by the older header. */
async function framingOf(url: string, headers: Record<string, string>) {
  const { response } = await openPage(url, { headers });
  const policy = response.headers.get("content-security-policy") ?? "";
  return {
    policy: /frame-ancestors ('\w+')/.exec(policy)?.[1] ?? null,
    option: response.headers.get("x-frame-options"),
  };
}

test("a sandbox's checkout and wallet open in a frame of this instance, and in no other", async () => {
  for (const url of pages) {
    const own = await framingOf(url, IN_OWN_FRAME);
    expect(own.policy).toBe("'self'");
    expect(own.option).not.toBe("DENY");
    for (const headers of [IN_FOREIGN_FRAME, {}]) {
      const other = await framingOf(url, headers);
      expect(other.policy).toBe("'none'");
      expect(other.option).not.toBe("SAMEORIGIN");
    }
  }
});

test("a production account's checkout opens in no frame", async () => {
  await prisma().account.update({ where: { id: account.ref.id }, data: { type: "production" } });
  const [checkout = ""] = pages;
  expect(await framingOf(checkout, IN_OWN_FRAME)).toEqual({ policy: "'none'", option: "DENY" });
});
