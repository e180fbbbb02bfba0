import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowedCharge } from "@/lib/payments/agent-payments/cards/allowed-charge";
import { minorUnits } from "@/lib/platform/text/money";

const payment = {
  amount_minor: minorUnits(4200, "usd"),
  currency: "usd",
  merchant_name: "Harbor Kitchen",
  merchant_url: "https://www.shop.harborkitchen.example/menu",
};
const at = (name: string | null, url: string | null = null) => ({
  accountId: "01a00000-0000-7000-8000-000000000001",
  cardRef: "ic_1",
  chargeRef: "iauth_1",
  amountMinor: minorUnits(4200, "usd"),
  currency: "usd",
  merchant: { name, url },
});

test("no charge above the amount or in another currency is allowed, whatever else", () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom("usd", "eur"), fc.string(), (amount, currency, name) => {
      const amountMinor = minorUnits(amount, currency);
      const isAllowed = isAllowedCharge(payment, { ...at(name), amountMinor, currency }, []);
      expect(isAllowed).toBe(amountMinor <= 4200 && currency === "usd");
    }),
  );
});

describe("where the account allows only some merchants", () => {
  const isAllowed = (name: string | null, url?: string) =>
    isAllowedCharge(payment, at(name, url), ["Harbor"]);

  test.each([["HARBOR KITCHEN"], ["SQ *HARBOR KITCH 0412"], ["TST* Harbor"], ["HARBORKITCHEN.EXAMPLE"]])(
    "%s is the payment's",
    (name) => expect(isAllowed(name)).toBe(true),
  );

  test.each([["GIFT CARDS 24"], ["SQ *"], [""], [null]])("%s is not", (name) =>
    expect(isAllowed(name)).toBe(false),
  );

  test("a url tells too, but not by its www or its ending", () => {
    expect(isAllowed("PAYPAL", "https://pay.harborkitchen.example")).toBe(true);
    expect(isAllowed("PAYPAL", "https://www.other.example")).toBe(false);
  });

  test("a payment that names no merchant is charged by none", () => {
    const nameless = { ...payment, merchant_name: null, merchant_url: null };
    expect(isAllowedCharge(nameless, at("HARBOR KITCHEN"), ["Harbor"])).toBe(false);
  });
});
