import { expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { CardOrder, CardProvider, Customer } from "@/lib/adapters/card-providers/card-provider";
import { minorUnits } from "@/lib/platform/text/money";

/** A provider with its peer, as the suite uses it. */
export interface CardBench {
  provider: CardProvider;
  /** A customer that no other test uses. */
  newCustomer(): Customer;
  newPaymentId(): string;
  /** Adds a card to the customer's wallet to pay from. */
  attach(customer: Customer): Promise<void>;
  /** Fetches a card as a caller would, with the credentials of the hand-off. Returns null when the provider refuses. */
  fetchCard(fetchUrl: string, userToken: string): Promise<{ number: string; cvc: string } | null>;
}

/** The behavior of a provider that agent payments rely on. Every provider must pass. */
export function describeCardProvider(bench: () => CardBench): void {
  const orderFor = (customer: Customer, more: Partial<CardOrder> = {}): CardOrder => ({
    ...customer,
    paymentId: bench().newPaymentId(),
    amountMinor: minorUnits(4200, "usd"),
    currency: "usd",
    merchant: { name: "Harbor Kitchen", url: "https://example.com" },
    ...more,
  });
  const withCard = async () => {
    const customer = bench().newCustomer();
    await bench().attach(customer);
    return customer;
  };

  test("onboarding is on a page of the provider", async () => {
    const { accountId } = bench().newCustomer();
    const { hostedUrl } = await bench().provider.onboard({ accountId, sessionId: bench().newPaymentId() });
    expect(URL.canParse(hostedUrl)).toBe(true);
  });

  test("an order makes a card, and the same order again is the same card", async () => {
    const order = orderFor(await withCard());
    const first = await bench().provider.mint(order);
    expect(await bench().provider.mint(order)).toEqual(first);
    const other = await bench().provider.mint({ ...order, paymentId: bench().newPaymentId() });
    expect(other.cardRef).not.toBe(first.cardRef);
  });

  test("the same order ten times at once is one card", async () => {
    const order = orderFor(await withCard());
    const cards = await Promise.all(Array.from({ length: 10 }, () => bench().provider.mint(order)));
    expect(new Set(cards.map(({ cardRef }) => cardRef)).size).toBe(1);
  });

  test("a card is found by its payment, and none where none was made", async () => {
    const order = orderFor(await withCard());
    expect(await bench().provider.findCard(order.accountId, order.paymentId)).toBeNull();
    const { cardRef } = await bench().provider.mint(order);
    expect(await bench().provider.findCard(order.accountId, order.paymentId)).toEqual({ cardRef });
    const other = bench().newCustomer();
    if (other.accountId !== order.accountId) {
      expect(await bench().provider.findCard(other.accountId, order.paymentId)).toBeNull();
    }
  });

  test("the hand-off fetches a card from the provider, and says nothing of it itself", async () => {
    const { accountId, handle } = await withCard();
    const { cardRef } = await bench().provider.mint(orderFor({ accountId, handle }));
    const handoff = await bench().provider.handoff(accountId, cardRef);
    expect(handoff).toMatchObject({ cardRef, provider: bench().provider.name });
    const card = await bench().fetchCard(handoff.fetchUrl, handoff.userToken);
    expect(card?.number).toMatch(/^\d{13,19}$/);
    expect(JSON.stringify(handoff)).not.toContain(card?.number);
  });

  test("a token opens only its own card", async () => {
    const { accountId, handle } = await withCard();
    const { cardRef } = await bench().provider.mint(orderFor({ accountId, handle }));
    const other = await bench().provider.mint(orderFor({ accountId, handle }));
    const { fetchUrl } = await bench().provider.handoff(accountId, cardRef);
    const { userToken } = await bench().provider.handoff(accountId, other.cardRef);
    expect(await bench().fetchCard(fetchUrl, userToken)).toBeNull();
    expect(await bench().fetchCard(fetchUrl, "")).toBeNull();
  });

  test("a closed card is no longer handed out or fetched, and closing it again succeeds", async () => {
    const { accountId, handle } = await withCard();
    const { cardRef } = await bench().provider.mint(orderFor({ accountId, handle }));
    const { fetchUrl, userToken } = await bench().provider.handoff(accountId, cardRef);
    expect(await bench().provider.close(accountId, cardRef)).toBe("closed");
    expect(await bench().provider.close(accountId, cardRef)).toBe("closed");
    expect(await bench().fetchCard(fetchUrl, userToken)).toBeNull();
    await expect(bench().provider.handoff(accountId, cardRef)).rejects.toThrow(AdapterError);
  });
}
