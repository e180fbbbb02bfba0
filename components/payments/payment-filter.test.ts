import { expect, test } from "vitest";
import { readPaymentFilter, toPaymentQuery } from "@/components/payments/payment-filter";

test("an address becomes a filter, and a filter what the API takes", () => {
  const filter = readPaymentFilter({ q: " tea ", status: ["succeeded", "expired"], since: "24h", x: "y" });
  expect(filter).toEqual({ q: "tea", status: "succeeded", since: "24h" });
  expect(toPaymentQuery(filter, Date.parse("2026-01-02T00:00:00Z"))).toEqual({
    q: "tea",
    status: "succeeded",
    from: "2026-01-01T00:00:00.000Z",
  });
});

test("a period nobody offers narrows by no time", () => {
  expect(toPaymentQuery({ since: "ever" }, 0)).toEqual({});
});
