import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { agentPaymentBench } from "@/lib/testing/payments/agent-payment-bench";
import { createCustomer } from "@/lib/testing/payments/connect-customer";

const bench = agentPaymentBench();
const { later, limit, pay, createPayer, paymentsOf } = bench;

describe("caps", () => {
  test("a currency with limits of its own has these and not those of the others", async () => {
    const jpy = { max_per_payment_cents: 9000, max_per_handle_day_cents: 10_000, approval_above_cents: 5000 };
    await limit({ max_per_payment_cents: 100, currency_limits: { jpy } });
    const { handle } = await createPayer();
    const payYen = (amount_cents: number) => pay(handle, { amount_cents, currency: "jpy" });

    expect((await pay(handle)).body.error.message).toContain("at most 100 ($1.00)");
    expect((await payYen(9001)).body.error.message).toContain("at most 9000 (¥9,000)");
    expect((await payYen(5001)).body.status).toBe("awaiting_user_action");
    expect((await payYen(5000)).body.status).toBe("ready");
    expect((await payYen(4999)).body.status).toBe("ready");
    const overTheDay = await payYen(2);
    expect([overTheDay.status, overTheDay.body.error.message]).toEqual([
      409,
      expect.stringContaining("¥10,000 per customer"),
    ]);
  });

  test("above the cap of one payment nothing is begun", async () => {
    await limit({ max_per_payment_cents: 4199 });
    const handle = await createCustomer(bench.account);
    const { status, body } = await pay(handle);
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(await paymentsOf(handle)).toEqual([]);
  });

  test("only merchants on the list are paid; a url's host counts more than a name", async () => {
    await limit({ merchant_allow_list: ["harbor.example", "Corner Shop"] });
    const { handle } = await createPayerWithoutCaps();
    const outcome = async (merchant?: object) => (await pay(handle, { merchant })).body.status ?? "refused";
    expect(await outcome({ url: "https://shop.harbor.example/x" })).toBe("ready");
    expect(await outcome({ name: "corner shop" })).toBe("ready");
    expect(await outcome({ name: "Corner Shop", url: "https://evil.example" })).toBe("refused");
    expect(await outcome({ url: "https://notharbor.example" })).toBe("refused");
    expect(await outcome()).toBe("refused");
  });

  test("a handle's day is full at its cap, also when cards are asked for at once; tomorrow is another", async () => {
    const { handle } = await createPayer();
    await limit({ max_per_handle_day_cents: 10_000 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pay(handle, {}, `day-${handle}-${index}`)),
    );
    expect(answers.filter(({ body }) => body.status === "ready")).toHaveLength(2);
    const refused = answers.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.error.code]).toEqual([409, 2015]);
    later(24 * 60);
    expect((await pay(handle, {}, `day-${handle}-next`)).body.status).toBe("ready");
  });

  async function createPayerWithoutCaps() {
    const caps = await sql.runText<{ merchant_allow_list: string[] }>({
      text: "delete from agent_pay_settings returning merchant_allow_list",
    });
    const payer = await createPayer();
    await limit({ merchant_allow_list: caps[0]?.merchant_allow_list });
    return payer;
  }
});
