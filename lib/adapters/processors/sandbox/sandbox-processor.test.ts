import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { describeProcessor, type ProcessorBench } from "@/lib/adapters/processors/conformance";
import type { Merchant, OrderRefs } from "@/lib/adapters/processors/processor";
import { sandboxProcessor } from "@/lib/adapters/processors/sandbox/sandbox-processor";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";

let bench: ProcessorBench;

beforeAll(async () => {
  const [own, other] = [
    await createTestAccount({ type: "sandbox" }),
    await createTestAccount({ type: "sandbox" }),
  ];
  const payWith = (card: string) => async (merchant: Merchant, refs: OrderRefs) => {
    await sandboxProcessor.testCards?.pay(merchant, refs, card);
  };
  bench = {
    processor: sandboxProcessor,
    merchant: { accountId: own.ref.id, merchantId: own.ref.id },
    stranger: { accountId: other.ref.id, merchantId: other.ref.id },
    priceId: "price_test_monthly",
    customerId: "cus_test_ada",
    deletedCustomerId: "cus_test_deleted",
    coupon: "coupon_test_half",
    pay: payWith("succeeds"),
    payInVain: payWith("declined"),
    paySlowly: payWith("settles_late"),
    settleSlow: async () => advanceClock(60),
  };
});

describeProcessor(() => bench);

test("an unknown card is refused", async () => {
  const { merchant } = bench;
  const refs = { paymentIntentId: "pi_test_none", subscriptionId: null };
  await expect(sandboxProcessor.testCards?.pay(merchant, refs, "platinum")).rejects.toThrow("no test card");
});
