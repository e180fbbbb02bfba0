import { expect, test } from "vitest";
import type { Merchant, Order, OrderRefs, Processor } from "@/lib/adapters/processors/processor";
import { minorUnits } from "@/lib/platform/text/money";

/** A processor as the suite uses it. The bench supplies the payers and their payment methods. */
export interface ProcessorBench {
  processor: Processor;
  merchant: Merchant;
  /** Another account at the same processor. */
  stranger: Merchant;
  priceId: string;
  customerId: string;
  deletedCustomerId: string;
  coupon: string;
  /** A payer pays an opened order. */
  pay(merchant: Merchant, refs: OrderRefs): Promise<void>;
  /** A payer attempts to pay with a card that is declined. */
  payInVain(merchant: Merchant, refs: OrderRefs): Promise<void>;
  /** A payer pays by a method that settles later. */
  paySlowly(merchant: Merchant, refs: OrderRefs): Promise<void>;
  /** Completes payments that settle later. */
  settleSlow(merchant: Merchant, refs: OrderRefs): Promise<void>;
}

const NOT_OPENED = { paymentIntentId: null, subscriptionId: null };

/** The behavior of a processor that payment requests rely on. Every processor must pass. */
export function describeProcessor(bench: () => ProcessorBench): void {
  const payment = (more: Partial<Order> = {}): Order => ({
    ...NOT_OPENED,
    key: crypto.randomUUID(),
    mode: "payment",
    amountMinor: minorUnits(1250, "usd"),
    currency: "usd",
    customerId: null,
    priceId: null,
    quantity: 1,
    trialEnd: null,
    discount: null,
    description: "Dinner for two",
    receiptEmail: "ada@example.com",
    metadata: { order: "7" },
    ...more,
  });
  const subscription = async (more: Partial<Order> = {}): Promise<Order> => {
    const { processor, merchant, priceId } = bench();
    const key = crypto.randomUUID();
    const customerId = await processor.createCustomer(merchant, key, { email: null, metadata: {} });
    const price = await processor.findPrice(merchant, priceId);
    return payment({
      key,
      mode: "subscription",
      priceId,
      customerId,
      amountMinor: price?.unitAmountMinor ?? minorUnits(0, "usd"),
      ...more,
    });
  };
  const open = (order: Order) => bench().processor.open(bench().merchant, order);
  const look = (refs: OrderRefs) => bench().processor.look(bench().merchant, refs);
  const cancel = (refs: OrderRefs) => bench().processor.cancel(bench().merchant, refs);

  test("the processor takes usd and no currency that does not exist", async () => {
    const { processor, merchant } = bench();
    expect(await processor.acceptsCurrency(merchant, "usd")).toBe(true);
    expect(await processor.acceptsCurrency(merchant, "zzz")).toBe(false);
  });

  test("prices, customers and discounts are its own; what is unknown or deleted is not there", async () => {
    const { processor, merchant, stranger, priceId, customerId, deletedCustomerId, coupon } = bench();
    expect(await processor.findPrice(merchant, priceId)).toMatchObject({
      isActive: true,
      unitAmountMinor: expect.any(Number),
      interval: expect.stringMatching(/^(day|week|month|year)$/),
    });
    expect(await processor.findPrice(merchant, "price_nothing")).toBeNull();
    expect(await processor.hasCustomer(merchant, customerId)).toBe(true);
    expect(await processor.hasCustomer(merchant, deletedCustomerId)).toBe(false);
    expect(await processor.hasCustomer(merchant, "cus_nobody")).toBe(false);
    expect(await processor.hasDiscount(merchant, { coupon })).toBe(true);
    expect(await processor.hasDiscount(merchant, { coupon: "nothing" })).toBe(false);
    expect(await processor.hasDiscount(merchant, { promotion_code: "nothing" })).toBe(false);

    const details = { email: "ada@example.com", metadata: { order: "7" } };
    const made = await processor.createCustomer(merchant, "key-1", details);
    expect(await processor.createCustomer(merchant, "key-1", details)).toBe(made);
    expect(await processor.hasCustomer(merchant, made)).toBe(true);
    expect(await processor.hasCustomer(stranger, made)).toBe(false);
  });

  test("opened twice, at once or later, it is one payment", async () => {
    const order = payment();
    const [first, second] = await Promise.all([open(order), open(order)]);
    const third = await open({ ...order, ...first });
    expect(first.paymentIntentId).toEqual(expect.any(String));
    expect([second.paymentIntentId, third.paymentIntentId]).toEqual([
      first.paymentIntentId,
      first.paymentIntentId,
    ]);
    expect(await look(first)).toEqual({ type: "open" });
  });

  test("a paid payment reports the amount that was taken and can't be canceled", async () => {
    const refs = await open(payment());
    await bench().pay(bench().merchant, refs);
    expect(await look(refs)).toMatchObject({ type: "paid", chargedMinor: 1250, at: expect.any(Date) });
    expect(await cancel(refs)).toMatchObject({ type: "paid" });
  });

  test("a declined card changes nothing: another may pay", async () => {
    const refs = await open(payment());
    await bench().payInVain(bench().merchant, refs);
    expect(await look(refs)).toEqual({ type: "open" });
    await bench().pay(bench().merchant, refs);
    expect(await look(refs)).toMatchObject({ type: "paid" });
  });

  test("a canceled payment stays canceled and can't be paid", async () => {
    const refs = await open(payment());
    expect(await cancel(refs)).toEqual({ type: "canceled" });
    await bench()
      .pay(bench().merchant, refs)
      .catch(() => undefined);
    expect(await look(refs)).toEqual({ type: "canceled" });
    expect(await cancel(refs)).toEqual({ type: "canceled" });
  });

  test("a payment under way cannot be canceled, and settles", async () => {
    const refs = await open(payment());
    await bench().paySlowly(bench().merchant, refs);
    expect(await cancel(refs)).toEqual({ type: "processing" });
    expect(await look(refs)).toEqual({ type: "processing" });
    await bench().settleSlow(bench().merchant, refs);
    expect(await look(refs)).toMatchObject({ type: "paid" });
  });

  test("one of a concurrent payment and cancel wins, and both say which", async () => {
    for (let round = 0; round < 10; round++) {
      const refs = await open(payment());
      const { pay, merchant } = bench();
      const [outcome] = await Promise.all([cancel(refs), pay(merchant, refs).catch(() => undefined)]);
      expect((await look(refs)).type).toBe(outcome.type);
    }
  });

  test("a subscription is paid with its first invoice, after the discount", async () => {
    const order = await subscription({ discount: { coupon: bench().coupon } });
    const refs = await open(order);
    expect(refs.subscriptionId).toEqual(expect.any(String));
    expect(await look(refs)).toEqual({ type: "open" });
    await bench().pay(bench().merchant, refs);
    expect(await look(refs)).toMatchObject({ type: "paid", chargedMinor: order.amountMinor / 2 });
  });

  test("a trial is paid once the method is collected, and charges nothing", async () => {
    const trialEnd = new Date(Date.now() + 7 * 86_400_000);
    const refs = await open(await subscription({ trialEnd }));
    expect(await look(refs)).toEqual({ type: "open" });
    await bench().pay(bench().merchant, refs);
    expect(await look(refs)).toMatchObject({ type: "paid", chargedMinor: 0 });
  });

  test("an unpaid subscription or trial is canceled with its request", async () => {
    for (const trialEnd of [null, new Date(Date.now() + 7 * 86_400_000)]) {
      const refs = await open(await subscription({ trialEnd }));
      expect(await cancel(refs)).toEqual({ type: "canceled" });
      await bench()
        .pay(bench().merchant, refs)
        .catch(() => undefined);
      expect((await look(refs)).type).not.toBe("paid");
      expect(await cancel(refs)).toEqual({ type: "canceled" });
    }
  });
}
